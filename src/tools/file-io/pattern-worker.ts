import { WorkerThread } from '../worker-thread.ts';

/** One line that matched: its number within the text, from 0, and the part of it to show. */
interface LineMatch {
  readonly line: number;
  readonly text: string;
}

/** Finds the matching lines of a text. Rejects with a `ThreadTimeout` after the deadline. */
export interface LineMatcher extends AsyncDisposable {
  find(text: string): Promise<readonly LineMatch[]>;
}

/** Only the first characters of a longer line are searched. */
const MAX_LINE_CHARS = 16_384;
const MAX_SHOWN_CHARS = 500;

/** Plain JavaScript without outer references: its source also runs in the thread. */
const findLines = (text: string, expression: RegExp, maxLine: number, maxShown: number) => {
  const found: LineMatch[] = [];
  let line = 0;
  for (let start = 0; start < text.length; line += 1) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    const whole = text.slice(start, Math.min(stop, start + maxLine)).replace(/\r$/, '');
    const match = expression.exec(whole);
    if (match !== null) {
      const from = match.index > maxShown / 2 ? match.index - 100 : 0;
      found.push({ line, text: whole.slice(from, from + maxShown) });
    }
    start = stop + 1;
  }
  return found;
};

const threadSource = `
const { parentPort, workerData } = require('node:worker_threads');
const findLines = ${findLines.toString()};
const expression = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', (text) => parentPort.postMessage(findLines(text, expression, ${MAX_LINE_CHARS}, ${MAX_SHOWN_CHARS})));
`;

/**
 * Patterns without repetition, backreference or alternation: a line costs at most its length times the pattern's. (A row
 * of alternatives such as (a|aa) doubles the ways to match with each.) All other patterns run in a thread.
 */
const isPlain = (source: string): boolean => !/[*+{?|]|\\[1-9k]/.test(source);

/** @throws SyntaxError if the pattern is not a regular expression. */
export function createLineMatcher(source: string, flags: string, deadlineMs: number): LineMatcher {
  const expression = new RegExp(source, flags);
  if (isPlain(source)) {
    return {
      find: async (text) => findLines(text, expression, MAX_LINE_CHARS, MAX_SHOWN_CHARS),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const workerData = { source, flags };
  const thread = new WorkerThread(threadSource, { eval: true, workerData, maxHeapMb: 128 });
  return {
    find: (text) => thread.answer(deadlineMs, text),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
