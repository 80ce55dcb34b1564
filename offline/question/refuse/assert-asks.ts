import type { Token } from '../../language/lexer.ts';
import { modelSettings, TaskError } from '../../task-error.ts';
import { countWords, larger, smaller, superlatives } from '../read/words.ts';

const asking = new Set(
  'how which what who whose where when show list find get give display print read view count number amount sum total average mean median minimum maximum percent percentage share sort order rank group filter search query select compare per by first last'.split(
    ' ',
  ),
);

const phrases = [
  ...`${countWords}|${larger}|${smaller}`.split('|'),
  ...superlatives.flatMap(({ words }) => words),
];
const ofData = new Set(
  phrases.flatMap((phrase) => phrase.split(' ').filter((word) => word.length > 3)),
);

/** Words that ask for something. */
export const askingWords: readonly string[] = [...asking, ...ofData];

/** Whether a word asks for something, independent of the data. */
export const asksFor = (norm: string, stem = norm): boolean =>
  asking.has(norm) || asking.has(stem) || ofData.has(norm);

const asks = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ kind, norm, stem }) => !['word', 'mark', 'number'].includes(kind) || asksFor(norm, stem),
  );

/** Refuses a text that is not about data: `Write a haiku`. `placed` words of it name something in the data. @throws TaskError `NEEDS_MODEL` */
export function assertAsks(tokens: readonly Token[], placed: number): void {
  if (placed > 0 || asks(tokens)) return;
  throw new TaskError('NEEDS_MODEL', `This task needs a language model: ${modelSettings}.`);
}
