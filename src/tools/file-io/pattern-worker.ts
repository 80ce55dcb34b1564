import { WorkerThread } from '../worker-thread.ts';

/** One line that matched: its number within the text, from 0, and the part of it to show. */
interface LineMatch {
  readonly line: number;
  readonly text: string;
}

/** The matching lines of one text. */
export interface FoundLines {
  /** The first of them. */
  readonly matches: readonly LineMatch[];
  readonly total: number;
  /** Whether only the beginning of a line was searched. */
  readonly isCut: boolean;
}

/** Finds the matching lines of each text. Rejects with a `ThreadTimeout` after the deadline. */
export interface LineMatcher extends AsyncDisposable {
  find(texts: readonly string[], maxMatches: number): Promise<readonly FoundLines[]>;
}

/** In characters: only the first of a longer line are searched; only those around a match are shown. */
const bounded = { maxLine: 16_384, maxShown: 500 };
/** For patterns that take linear time. */
const whole = { ...bounded, maxLine: Number.MAX_SAFE_INTEGER };

/** Plain JavaScript without outer references: its source also runs in the thread. */
const findLines = (
  text: string,
  expression: RegExp,
  maxMatches: number,
  { maxLine, maxShown }: typeof bounded,
): FoundLines => {
  const matches: LineMatch[] = [];
  let total = 0;
  let line = 0;
  let isCut = false;
  for (let start = 0; start < text.length; line += 1) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    const cut = Math.min(stop, start + maxLine);
    isCut ||= cut < stop;
    const searched = text.slice(start, text[cut - 1] === '\r' ? cut - 1 : cut);
    const at = searched.search(expression);
    if (at >= 0 && total++ < maxMatches) {
      const from = at > maxShown / 2 ? at - 100 : 0;
      matches.push({ line, text: searched.slice(from, from + maxShown) });
    }
    start = stop + 1;
  }
  return { matches, total, isCut };
};

const threadSource = `
const { parentPort, workerData } = require('node:worker_threads');
const findLines = ${findLines.toString()};
const { source, flags, limits } = workerData;
const expression = new RegExp(source, flags);
parentPort.on('message', ({ texts, maxMatches }) =>
  parentPort.postMessage(texts.map((text) => findLines(text, expression, maxMatches, limits))));
`;

/**
 * Patterns without repetition, backreference or alternation: a line costs at most its length times the pattern's. (A row
 * of alternatives such as (a|aa) doubles the ways to match with each.)
 */
const isPlain = (source: string): boolean => !/[*+{?|]|\\[1-9k]/.test(source);

/** A longer plain pattern, or any other one, runs in a thread: on a piece of a long line it would block this one for seconds. */
const MAX_PLAIN_CHARS = 40;

/** @throws SyntaxError if the pattern is not a regular expression. */
export function createLineMatcher(source: string, flags: string, deadlineMs: number): LineMatcher {
  const expression = new RegExp(source, flags);
  const limits = isPlain(source) ? whole : bounded;
  if (limits === whole && source.length <= MAX_PLAIN_CHARS) {
    return {
      find: async (texts, maxMatches) =>
        texts.map((text) => findLines(text, expression, maxMatches, limits)),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const workerData = { source, flags, limits };
  const thread = new WorkerThread(threadSource, { eval: true, workerData, maxHeapMb: 128 });
  return {
    find: (texts, maxMatches) => thread.answer(deadlineMs, { texts, maxMatches }),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
