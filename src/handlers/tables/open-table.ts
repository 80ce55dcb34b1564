import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { TaskError } from '../task-error.ts';
import { isAccessLine } from './access-log.ts';
import { dayNoun } from './day-noun.ts';
import { nounsOfName } from './nouns-of-name.ts';
import { createAccessLogParser } from './parse-access-log.ts';
import { createCsvParser } from './parse-csv.ts';
import { parseJsonTable } from './parse-json.ts';
import { createJsonLinesParser, looksLikeJsonLines } from './parse-json-lines.ts';
import { createPairsParser, looksLikePairs } from './parse-pairs.ts';
import { type Chunk, openChunks } from './read-file.ts';
import type { RowParser } from './row-parser.ts';
import type { Row, Table } from './table.ts';

/**
 * Opens a file as a table; its format is found by looking at its first lines, not at its name.
 *
 * @throws TaskError `INPUT_INVALID` where it is none that is known, `INPUT_TOO_LARGE`; a failing read as the tool's error.
 */
export async function openTable(context: HandlerContext, path: string): Promise<Table> {
  const { head: first, rest: chunks } = await openChunks(context, path);
  if (first.text.trim() === '') throw new TaskError('INPUT_INVALID', `${path} is empty.`);
  if (first.text.includes('\u0000')) throw unknownFormat(path);
  if (/^\s*[[{]/.test(first.text) && !looksLikeJsonLines(first.text)) {
    return parseJsonTable(path, await readWhole(first, chunks));
  }
  const parser = chooseParser(path, first.text);
  const rows = parser.start(first);
  const columns = parser.columns();
  return {
    name: path,
    format: parser.format,
    isLog: parser.isLog,
    columns,
    rowNouns: parser.isLog
      ? ['request', 'line', 'entry', 'hit']
      : [...nounsOfName(path), ...dayNoun(columns, rows)],
    skipped: parser.skipped,
    isWhole: first.isLast,
    rows: () => readRows(rows, parser, chunks),
  };
}

async function* readRows(
  first: readonly Row[],
  parser: RowParser,
  chunks: AsyncGenerator<Chunk>,
): AsyncGenerator<readonly Row[]> {
  yield first;
  for await (const chunk of chunks) yield parser.next(chunk);
}

function chooseParser(path: string, sample: string): RowParser {
  const lines = sample.split(/\r?\n/, 50).filter((line) => line.trim() !== '');
  const most = (test: (line: string) => boolean) =>
    lines.filter((line) => test(line)).length * 2 > lines.length;
  if (most(isAccessLine)) return createAccessLogParser();
  if (looksLikeJsonLines(sample)) return createJsonLinesParser();
  if (/\.(?:csv|tsv)$/i.test(path)) return createCsvParser(sample);
  if (most(looksLikePairs)) return createPairsParser();
  const parser = /\.log\b/i.test(path) ? undefined : createCsvParser(sample);
  if (parser && /[,;\t|]/.test(lines[0] ?? '')) return parser;
  throw unknownFormat(path);
}

/** JSON documents are held whole. */
async function readWhole(first: Chunk, chunks: AsyncGenerator<Chunk>): Promise<string> {
  const parts = [first.text];
  for await (const chunk of chunks) parts.push(chunk.text);
  return parts.join('');
}

const unknownFormat = (path: string): TaskError =>
  new TaskError(
    'INPUT_INVALID',
    `${path} is in no format that can be analysed without a language model: access log (common, combined, with fields behind), JSON lines, key=value lines, CSV, TSV, JSON array, SQLite. Its lines can be searched and counted as text: "find the lines with "ERROR" in ${path}", "how many lines of ${path} contain "ERROR"?", "show the last 20 lines of ${path}".`,
  );
