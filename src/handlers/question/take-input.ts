import { hasTarget, type Reader } from './draft.ts';
import { parseColumn } from './find-column.ts';
import { parseDeclaration } from './parse-declaration.ts';
import { eat, norm, type Parser, peek, skipArticles } from './parser.ts';
import { phrases } from './phrases.ts';

/** A sentence about the file; what it says is learned or checked. */
export function takeDeclaration({ parser, current }: Reader): boolean {
  if (!atSentenceStart(parser) || !parseDeclaration(parser)) return false;
  if (!hasTarget(current) && current.output.length === 0) {
    eat(parser, '.', ';');
    current.start = parser.at;
  }
  return true;
}

function atSentenceStart(parser: Parser): boolean {
  const before = peek(parser, -1);
  return (
    before === undefined || ['.', ';', ':', ')'].includes(before.text) || before.norm === 'and'
  );
}

const links =
  phrases(`in|from|of|using|for|on|with|inside|within|at|across|over|read|reading|load|open|analyse|analyze|take
  given|look at|based on`);
const fileNouns =
  phrases(`sqlite database file|sqlite database|database file|access log|log file|logfile|csv file|json file
  sqlite file|data set|dataset|database|web server log|server log|apache log|nginx log|file|log|csv|table|data
  json lines file|json`);

/** `in access.log`, `using the SQLite database shop.db`, `of the log`. */
export function takeInput({ parser }: Reader): boolean {
  const link = eat(parser, ...links);
  skipArticles(parser);
  const noun = eat(parser, ...fileNouns);
  eat(parser, 'named', 'called', 'at');
  if (peek(parser)?.kind === 'file') {
    parser.at += 1;
    eat(parser, 'file', 'log', 'database');
    return true;
  }
  return (
    link !== undefined && noun !== undefined && !isColumnNext(parser) && norm(parser) !== 'format'
  );
}

const isColumnNext = (parser: Parser): boolean => parseColumn({ ...parser }) !== undefined;
