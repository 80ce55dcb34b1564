import { TaskError } from '../task-error.ts';
import { parseColumn } from './find-column.ts';
import { nameParts } from './name-parts.ts';
import { attempt, eat, listOf, norm, type Parser, peek, skipArticles } from './parser.ts';

/** Words that say what a file is, with the formats that they fit. Without a list they fit all. */
const formatWords = new Map<string, readonly string[] | undefined>([
  ['apache', ['access log']],
  ['nginx', ['access log']],
  ['combined', ['access log']],
  ['common', ['access log']],
  ['access', undefined],
  ['web', undefined],
  ['server', undefined],
  ['http', undefined],
  ['log', ['access log', 'JSON lines', 'key=value log', 'CSV', 'JSON']],
  ['logfile', ['access log', 'JSON lines', 'key=value log', 'CSV', 'JSON']],
  ['csv', ['CSV']],
  ['tsv', ['CSV']],
  ['json', ['JSON', 'JSON lines']],
  ['jsonl', ['JSON lines']],
  ['sqlite', ['SQLite table']],
  ['database', ['SQLite table']],
  ['file', undefined],
  ['table', undefined],
  ['format', undefined],
  ['text', undefined],
  ['dataset', undefined],
  ['array', ['JSON']],
  ['lines', undefined],
]);

/**
 * A sentence about the input: "access.log is an Apache combined log", "x.csv lists products with Price and Stock", "y.csv has
 * one line per day". What it claims is checked; what a row is called is learned.
 */
export function parseDeclaration(parser: Parser): true | undefined {
  return attempt(parser, (inner) => {
    eat(inner, 'the file', 'the log', 'the table', 'the database', 'file', 'input');
    if (peek(inner)?.kind !== 'file') return undefined;
    inner.at += 1;
    const verb = eat(
      inner,
      'is',
      'lists',
      'contains',
      'has',
      'holds',
      'records',
      'stores',
      'describes',
      'gives',
    );
    if (verb === undefined) return undefined;
    return verb === 'is' ? parseFormat(inner) : parseContent(inner);
  });
}

function parseFormat(parser: Parser): true | undefined {
  skipArticles(parser);
  const start = parser.at;
  while (formatWords.has(norm(parser)) || norm(parser) === 'in') {
    assertFormat(parser, norm(parser));
    parser.at += 1;
  }
  if (parser.at === start) return undefined;
  attempt(parser, (inner) =>
    eat(inner, 'with', 'of', 'that lists', 'listing', 'that has', ', with')
      ? parseContent(inner)
      : undefined,
  );
  return true;
}

function assertFormat(parser: Parser, word: string): void {
  const fitting = formatWords.get(word);
  if (!fitting || fitting.includes(parser.table.format)) return;
  throw new TaskError(
    'INPUT_INVALID',
    `${parser.table.name} was called "${word}", but it is read as: ${parser.table.format}.`,
  );
}

function parseContent(parser: Parser): true | undefined {
  if (
    eat(
      parser,
      'one line per',
      'one row per',
      'one record per',
      'one entry per',
      'a line per',
      'a row per',
      'one line for each',
      'one row for each',
      'a line for each',
      'a row for each',
      'one line for every',
    )
  ) {
    return learnNoun(parser);
  }
  if (eat(parser, 'a header line', 'a header row', 'a header')) return true;
  const columns = attempt(parser, parseColumns);
  if (columns) return true;
  skipArticles(parser);
  if (!learnNoun(parser)) return undefined;
  attempt(parser, (inner) =>
    eat(inner, 'with their', 'with', 'and their', 'by', 'and the')
      ? parseColumns(inner)
      : undefined,
  );
  return true;
}

function parseColumns(parser: Parser): true | undefined {
  eat(parser, 'the columns', 'columns', 'the fields', 'fields', 'a column', 'the column');
  const columns = listOf(parser, (inner) => {
    skipArticles(inner);
    return parseColumn(inner);
  });
  return columns ? true : undefined;
}

/** One or two words that name a row; nothing of them may stay unread. */
function learnNoun(parser: Parser): true | undefined {
  const words: string[] = [];
  while (
    peek(parser)?.kind === 'word' &&
    !/^(?:with|and|by|in|of|for|from|per|that|which|not|no|except|without|excluding|only|unless|but)$/.test(
      norm(parser),
    ) &&
    words.length < 3
  ) {
    words.push(nameParts(peek(parser)?.text ?? '').join(' '));
    parser.at += 1;
  }
  const last = words.at(-1);
  if (last === undefined) return undefined;
  parser.nouns.add(words.join(' '));
  parser.nouns.add(last);
  return true;
}
