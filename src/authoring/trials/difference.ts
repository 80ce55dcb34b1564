import { diffLines } from 'diff';
import type { TrialResult } from './trial.ts';

/** An added, removed or unchanged line of a text. */
export interface DifferentLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** How two trials of one task differ. A part without lines is the same in both. */
export interface Difference {
  readonly prompt: readonly DifferentLine[];
  readonly answer: readonly DifferentLine[];
  /** The requests, in order. */
  readonly steps: readonly DifferentLine[];
  readonly isSame: boolean;
}

export function differenceOf(before: TrialResult, after: TrialResult): Difference {
  const prompt = changedLines(before.systemPrompt, after.systemPrompt);
  const answer = changedLines(endingOf(before), endingOf(after));
  const steps = changedLines(stepsOf(before), stepsOf(after));
  const isSame = answer.length === 0 && steps.length === 0;
  return { prompt, answer, steps, isSame };
}

const endingOf = ({ status, answer }: TrialResult): string =>
  status === 'completed' ? answer : `(${status}) ${answer}`;

const stepsOf = ({ steps }: TrialResult): string =>
  steps.map(({ name, target, ok }) => `${name} ${target}${ok ? '' : ' (refused)'}`).join('\n');

const MAX_CHARS = 100_000;
/** Texts with more edits are shown as one removed and one added text. */
const MAX_EDITS = 2_000;
const CONTEXT = 1;

/** The lines that differ, with one line of context; empty if the texts are equal. */
function changedLines(before: string, after: string): DifferentLine[] {
  if (before === after) return [];
  const old = completeLines(before);
  const now = completeLines(after);
  const parts = diffLines(old, now, { maxEditLength: MAX_EDITS }) ?? [
    { added: false, removed: true, value: old },
    { added: true, removed: false, value: now },
  ];
  const lines = parts.flatMap(({ added, removed, value }) =>
    value
      .split('\n')
      .slice(0, -1)
      .map((text): DifferentLine => ({ sign: added ? '+' : removed ? '-' : ' ', text })),
  );
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== ' ');
  return lines.filter((_line, index) => isNear(index));
}

/** A text whose last line ends, too. An empty text has no line. */
const completeLines = (text: string): string =>
  text === '' ? '' : `${text.slice(0, MAX_CHARS)}\n`;
