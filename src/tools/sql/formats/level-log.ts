import type { Cell } from '../files/cell-value.ts';
import type { TableLoader } from '../files/table-loader.ts';
import { linesOf, type Reader, type RowTarget } from './reader.ts';

const columns = ['line', 'time', 'level', 'message'] as const;

/** `2026-03-02 08:00:00,123 [main] ERROR text`, as most programs write: a time, at most two words, a level, a text. */
const LINE =
  /^\[?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,]\d{1,9})? ?(Z|[+-]\d\d:?\d\d)?\]?[\s|:-]+(?:[[(]?[\w.$/-]{1,60}[\])]?[\s|:-]+){0,2}?[[(]?(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|CRIT|SEVERE|PANIC|ALERT|EMERG)[\])]?(?:[\s:|-]+(.*))?$/i;

/** Longest message with the lines that follow it, such as a stack trace, in characters. */
const MAX_MESSAGE_CHARS = 16 * 1024;

export const isLevelLine = (line: string): boolean => LINE.test(line);

/** Logs of programs. `time` is the log's own clock, whole seconds; a line without a time belongs to the message before it. */
export const levelLogReader: Reader = {
  about: { format: 'log' },
  options: {
    isTyped: false,
    nullIs: 'missing',
    fixed: new Map([
      ['time', 'datetime'],
      ['utc_offset', 'text'],
      ['level', 'text'],
      ['message', 'text'],
    ]),
  },
  read(chunks, { loader, malformed }) {
    for (const name of columns) loader.place(name);
    for (const { cells, number } of entriesOf(linesOf(chunks), { loader, malformed }))
      loader.add(cells, number);
  },
};

interface Entry {
  readonly cells: Cell[];
  readonly number: number;
}

function* entriesOf(
  lines: Iterable<readonly [string, number]>,
  { loader, malformed }: Pick<RowTarget, 'loader' | 'malformed'>,
): Generator<Entry> {
  let open: Entry | undefined;
  for (const [line, number] of lines) {
    const cells = cellsOf(line, number, loader);
    if (cells === undefined) {
      if (open) append(line, open.cells);
      else if (line !== '') malformed.note(number, 'no line of a log');
      continue;
    }
    if (open) yield open;
    open = { cells, number };
  }
  if (open) yield open;
}

function cellsOf(line: string, number: number, loader: TableLoader): Cell[] | undefined {
  const found = LINE.exec(line);
  if (!found) return undefined;
  const [, day, clock, offset, level = '', message = ''] = found;
  const cells: Cell[] = [String(number), `${day} ${clock}`, level.toUpperCase(), message];
  if (offset !== undefined) cells[loader.place('utc_offset')] = offset;
  return cells;
}

function append(line: string, cells: Cell[]): void {
  const message = `${cells[3] ?? ''}\n${line}`;
  if (line !== '' && message.length <= MAX_MESSAGE_CHARS) cells[3] = message;
}
