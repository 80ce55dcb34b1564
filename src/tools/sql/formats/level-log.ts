import type { Cell } from '../files/column-cells.ts';
import { type Pair, placePairs, splitPairs } from './pairs-table.ts';
import { linesOf, type Reader, type RowTarget } from './reader.ts';

const columns = ['line', 'time', 'level', 'message'] as const;

/** `2026-03-02 08:00:00,123`, perhaps in brackets or with an offset, as most programs begin a line. */
const TIME =
  /^\[?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,]\d{1,9})? ?(Z|[+-]\d\d:?\d\d)?\]?(?![\w:])/;

const LEVELS = new Set(
  'TRACE VERBOSE FINE FINER FINEST DEBUG CONFIG INFO NOTICE SUCCESS LOG WARN WARNING ERROR ERR SEVERE FATAL CRITICAL CRIT PANIC ALERT EMERG'.split(
    ' ',
  ),
);

/** `[worker-1] job done`: the part of the program that wrote the message. */
const SOURCE = /^\[(\p{L}[^\]\s]{0,60})\]:? +(?=\S)/u;

/** `GET /bikes 200 298ms` at the beginning of a message. */
const REQUEST =
  /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\/\S{0,2000})(?: (\d{3}))?(?: (\d+(?:\.\d+)?m?s))?(?!\S)/;

/** Other words in capitals behind the time are levels, too, if there are few: `NOTE`, `START`. */
const MAX_LEVELS = 8;

/** Words behind the time among which the level is looked for: `[main] my.logger ERROR`. */
const MAX_WORDS = 3;

/** Columns that a `key=value` pair of a message does not fill. */
const own = /^(?:line|time|level|source|message|utc_offset)$/;

/** Longest message with the lines that follow it, such as a stack trace, in characters. */
const MAX_MESSAGE_CHARS = 16 * 1024;

export const startsWithTime = (line: string): boolean => TIME.test(line);

/** Whether lines are those of a program's log: a quarter of them begin with a time, and most of these have a level. */
export function isLevelLog(lines: readonly string[]): boolean {
  const timed = lines.filter(startsWithTime);
  const levels = timed.flatMap((line) => afterTime(line).level ?? []);
  const isMost = timed.length * 4 >= lines.length && levels.length * 2 > timed.length;
  return isMost && new Set(levels).size <= MAX_LEVELS;
}

/** Logs of programs. `time` is the log's own clock, whole seconds; `source` stands in brackets before the message, `key=value` pairs at its end and the parts of a request at its beginning are columns; a line without a time belongs to the message before it. */
export const levelLogReader: Reader = {
  about: { format: 'log' },
  options: {
    isTyped: false,
    nullIs: 'missing',
    fixed: new Map([
      ['time', 'datetime'],
      ['utc_offset', 'text'],
      ['level', 'text'],
      ['source', 'text'],
      ['message', 'text'],
    ]),
  },
  read(chunks, into) {
    for (const name of columns) into.place(name);
    for (const { cells, number } of entriesOf(linesOf(chunks), into)) into.add(cells, number);
  },
};

interface Entry {
  readonly cells: Cell[];
  readonly number: number;
  /** Lines of its message were left out. */
  isCut: boolean;
}

function* entriesOf(lines: Iterable<readonly [string, number]>, into: RowTarget): Generator<Entry> {
  let open: Entry | undefined;
  for (const [line, number] of lines) {
    const cells = cellsOf(line, number, into);
    if (cells === undefined) {
      const problem = append(line, open);
      if (problem !== undefined) into.reject(number, problem);
      continue;
    }
    if (open) yield open;
    open = { cells, number, isCut: false };
  }
  if (open) yield open;
}

/** Undefined for a line without a time. */
function cellsOf(line: string, number: number, into: RowTarget): Cell[] | undefined {
  const found = TIME.exec(line);
  if (!found) return undefined;
  const [, day, clock, seconds = ':00', offset] = found;
  const { level, message } = afterTime(line);
  const [tag = '', source] = SOURCE.exec(message) ?? [];
  const said = message.slice(tag.length);
  const { before, pairs, isEnd } = splitPairs(said);
  const text = isEnd ? before || new Map(pairs).get('msg') : said;
  const time = `${day} ${clock}${seconds}`;
  const cells: Cell[] = [String(number), time, level, text];
  const all = [...requestOf(said), ...pairs];
  placePairs(
    all.filter(([key]) => !own.test(key)),
    cells,
    into,
  );
  if (source !== undefined) cells[into.place('source')] = source;
  if (offset !== undefined) cells[into.place('utc_offset')] = offset;
  return cells;
}

/** The parts of a request as pairs. */
function requestOf(message: string): Pair[] {
  const [, ...parts] = REQUEST.exec(message) ?? [];
  const names = ['method', 'path', 'status', 'duration'];
  return names.flatMap((name, at) => (parts[at] === undefined ? [] : [[name, parts[at]] as const]));
}

/**
 * Level (in capitals; undefined if there is none) and message of a line with a time. Only the first word is a level in any
 * case; a later one is written as one.
 */
function afterTime(line: string) {
  const start = TIME.exec(line)?.[0].length ?? 0;
  const words = /[\s|:-]*([^\s|]{1,80})/y;
  words.lastIndex = start;
  for (let count = 0; count < MAX_WORDS; count += 1) {
    const word = words.exec(line)?.[1];
    if (word === undefined) break;
    const level = levelOf(word, count === 0);
    if (level !== undefined) return { level, message: textFrom(line, words.lastIndex) };
  }
  return { level: undefined, message: textFrom(line, start) };
}

function levelOf(word: string, isFirst: boolean): string | undefined {
  const [, open = '', name = '', end = ''] =
    /^([[(<]?)([A-Za-z]+)([\])>:-]{0,2})$/.exec(word) ?? [];
  const level = name.toUpperCase();
  const isMarked = isFirst || name === level || open !== '' || end.includes(':');
  const isKnown = LEVELS.has(level) || (isFirst && name === level && name.length > 2);
  return isMarked && isKnown ? level : undefined;
}

const textFrom = (line: string, start: number): string =>
  line.slice(start).replace(/^[\s:|-]+/, '');

/** Adds a line to the message before it. @returns The problem if that is not possible. */
function append(line: string, entry: Entry | undefined): string | undefined {
  if (line === '') return undefined;
  if (entry === undefined) return 'not a log line';
  const message = `${entry.cells[3] ?? ''}\n${line}`;
  entry.isCut ||= message.length > MAX_MESSAGE_CHARS;
  if (entry.isCut) return 'the message that it belongs to is too long';
  entry.cells[3] = message;
  return undefined;
}
