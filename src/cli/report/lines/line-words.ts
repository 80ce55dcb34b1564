const sentences = {
  start: 'starts:',
  retry: 'tries again:',
  working: 'still works after',
  tool: 'used a tool:',
  done: 'is done:',
  failed: 'failed:',
  skipped: 'was skipped:',
  cancelled: 'was cancelled:',
  asks: 'asks:',
  allowed: 'was allowed to',
  answered: 'got an answer:',
  denied: 'was not allowed to',
} as const;

/** The words of a line about a step. */
export type StepWord = keyof typeof sentences;

/** How the lines of a run are written. */
export interface LineWords {
  /** @param step Its number; empty for the run itself. */
  step(step: string, word: StepWord, text: string): string;
  notice(text: string): string;
}

/** For pipes and logs: `2 denied  change src/cart.js (approve mode deny)`. */
export const briefWords: LineWords = {
  step: (step, word, text) => `${step} ${word.padEnd(7)} ${text}`.trim(),
  notice: (text) => `! ${text}`,
};

/** For screen readers: `Step 2 was not allowed to change src/cart.js (approve mode deny).` */
export const sentenceWords: LineWords = {
  step: (step, word, text) =>
    withStop(`${step === '' ? 'The run' : `Step ${step}`} ${sentences[word]} ${text}`),
  notice: (text) => withStop(`Notice: ${text}`),
};

const withStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
