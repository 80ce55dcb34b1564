import { TaskError } from '../task-error.ts';

/** One record and the line that it starts on. */
export interface CsvRecord {
  readonly cells: string[];
  readonly line: number;
}

/** Longest record accepted, in characters: an unclosed quote must not swallow a whole file. */
const MAX_RECORD_CHARS = 1024 * 1024;

const QUOTE = '"';

/**
 * Splits delimited text into records (RFC 4180: quotes, doubled quotes, delimiters and line breaks inside quotes), across
 * chunks. Blank lines are no records.
 */
export function createCsvReader(delimiter: string): {
  push(text: string): CsvRecord[];
  end(): CsvRecord[];
} {
  let rest = '';
  let line = 1;

  const take = (isEnd: boolean): CsvRecord[] => {
    const records: CsvRecord[] = [];
    let at = 0;
    for (;;) {
      const found = recordAt(rest, at, delimiter, isEnd);
      if (!found) break;
      if (found.cells.length > 1 || found.cells[0] !== '') {
        records.push({ cells: found.cells, line });
      }
      line += countLines(rest, at, found.end);
      at = found.end;
    }
    rest = rest.slice(at);
    if (rest.length > MAX_RECORD_CHARS) {
      throw new TaskError(
        'INPUT_INVALID',
        `The record that starts on line ${line} never ends: a quote is not closed.`,
      );
    }
    return records;
  };

  return {
    push(text) {
      rest += text;
      return take(false);
    },
    end: () => take(true),
  };
}

interface Found {
  readonly cells: string[];
  readonly end: number;
}

/** The record that starts at `at`; undefined while its end has not been seen. */
function recordAt(text: string, at: number, delimiter: string, isEnd: boolean): Found | undefined {
  if (at >= text.length) return undefined;
  const cells: string[] = [];
  let position = at;
  for (;;) {
    const cell = cellAt(text, position, delimiter, isEnd);
    if (!cell) return undefined;
    cells.push(cell.value);
    if (text[cell.end] !== delimiter) {
      const end = breakAt(text, cell.end, isEnd);
      if (end === 'none') throw brokenQuote(text.slice(at, cell.end + 1));
      return end === undefined ? undefined : { cells, end };
    }
    position = cell.end + 1;
  }
}

/** Where the next record begins; undefined while that can't be known, `none` where no line ends here. */
function breakAt(text: string, at: number, isEnd: boolean): number | undefined | 'none' {
  const isLast = text[at] === undefined || (text[at] === '\r' && text[at + 1] === undefined);
  if (isLast) return isEnd ? text.length : undefined;
  if (text[at] === '\n') return at + 1;
  if (text[at] !== '\r') return 'none';
  return at + (text[at + 1] === '\n' ? 2 : 1);
}

/** One cell; `end` is where its delimiter or line break stands. */
function cellAt(
  text: string,
  at: number,
  delimiter: string,
  isEnd: boolean,
): { value: string; end: number } | undefined {
  if (text[at] === QUOTE) return quotedAt(text, at, isEnd);
  let end = at;
  while (end < text.length && text[end] !== delimiter && !isBreak(text, end)) end += 1;
  if (end === text.length && !isEnd) return undefined;
  return { value: text.slice(at, end), end };
}

function quotedAt(
  text: string,
  at: number,
  isEnd: boolean,
): { value: string; end: number } | undefined {
  let value = '';
  let from = at + 1;
  for (;;) {
    const close = text.indexOf(QUOTE, from);
    if (close === -1) {
      if (isEnd)
        throw new TaskError('INPUT_INVALID', 'A quote is not closed at the end of the file.');
      return undefined;
    }
    value += text.slice(from, close);
    if (text[close + 1] === undefined && !isEnd) return undefined;
    if (text[close + 1] !== QUOTE) return { value, end: close + 1 };
    value += QUOTE;
    from = close + 2;
  }
}

const brokenQuote = (record: string): TaskError =>
  new TaskError(
    'INPUT_INVALID',
    `A quoted cell goes on after its closing quote: ${JSON.stringify(record.slice(-80))}`,
  );

const isBreak = (text: string, at: number): boolean => text[at] === '\n' || text[at] === '\r';

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1))
    count += 1;
  return count;
}

/** The delimiter that splits most of the first lines into the same number of cells: comma, tab, semicolon or bar. */
export function findDelimiter(sample: string): string {
  const lines = sample.split(/\r?\n/, 12).filter((line) => line !== '');
  const scores = [',', '\t', ';', '|'].map((mark) => {
    const counts = lines.map((line) => cellsOf(line, mark));
    const first = counts[0] ?? 1;
    const alike = counts.filter((count) => count === first).length;
    return { mark, score: first > 1 ? alike * 1_000 + first : 0 };
  });
  scores.sort((a, b) => b.score - a.score);
  return scores[0]?.mark ?? ',';
}

const cellsOf = (line: string, mark: string): number =>
  line.replace(/"(?:[^"]|"")*"/g, '').split(mark).length;
