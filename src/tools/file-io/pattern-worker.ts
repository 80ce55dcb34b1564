import { Worker } from 'node:worker_threads';

/** One line that matched: its number within the text, from 0, and what to show of it. */
export interface LineMatch {
  readonly line: number;
  readonly text: string;
}

/** Finds the matching lines of a text. Rejects with a `PatternTooSlow` when `deadlineMs` of its own have passed. */
export interface LineMatcher extends AsyncDisposable {
  find(text: string): Promise<readonly LineMatch[]>;
}

export class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow';
}

/** Longest part of a line that is searched, in characters, and the most that is shown of it. */
const MAX_LINE_CHARS = 16_384;
const MAX_SHOWN_CHARS = 500;

/** Plain JavaScript, since it runs in two places: here, and as the text of a worker. */
const findLines = (text: string, expression: RegExp, maxLine: number, maxShown: number) => {
  const found: { line: number; text: string }[] = [];
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

const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const findLines = ${findLines.toString()};
const expression = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', (text) => parentPort.postMessage(findLines(text, expression, ${MAX_LINE_CHARS}, ${MAX_SHOWN_CHARS})));
`;

/**
 * Nothing in the pattern repeats, looks back or stands for a choice, so a line costs no more than its length times the
 * pattern's: a row of choices such as (a|aa) alone doubles the ways to match with each. Everything else is matched in a worker that can be ended: a pattern may be made to never finish.
 */
const isPlain = (source: string): boolean => !/[*+{?|]|\\[1-9k]/.test(source);

/** @throws SyntaxError where the pattern is no regular expression. */
export function createLineMatcher(source: string, flags: string, deadlineMs: number): LineMatcher {
  const expression = new RegExp(source, flags);
  if (isPlain(source)) {
    return {
      find: async (text) => findLines(text, expression, MAX_LINE_CHARS, MAX_SHOWN_CHARS),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const worker = new Worker(workerSource, {
    eval: true,
    workerData: { source, flags },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  // One that fails while it is being ended would end the coordinator, too.
  worker.on('error', () => undefined);
  const end = async (): Promise<void> => {
    await worker.terminate();
  };
  return {
    find: (text) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          settle();
          reject(new PatternTooSlow());
        }, deadlineMs);
        const onMessage = (found: readonly LineMatch[]) => {
          settle();
          resolve(found);
        };
        const onError = (error: Error) => {
          settle();
          reject(error);
        };
        const settle = () => {
          clearTimeout(timer);
          worker.off('message', onMessage).off('error', onError);
        };
        worker.on('message', onMessage).on('error', onError);
        worker.postMessage(text);
      }),
    [Symbol.asyncDispose]: end,
  };
}
