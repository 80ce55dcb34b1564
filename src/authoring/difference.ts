import { diffLines } from 'diff';
import type { TrialResult } from './trial.ts';

/** A line of a text that came, went or stayed. */
export interface DifferentLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** How two trials of one task differ. No line: that part is the same. */
export interface Difference {
  readonly prompt: readonly DifferentLine[];
  readonly answer: readonly DifferentLine[];
  /** What was asked for, in its order. */
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

const MOST_CHARS = 100_000;
/** Texts that have less in common are shown as two whole ones. */
const MOST_EDITS = 2_000;
const CONTEXT = 1;

/** The lines that differ, each stretch with a line around it; none where the texts are the same. */
export function changedLines(before: string, after: string): DifferentLine[] {
  if (before === after) return [];
  const [old, now] = [before, after].map((text) => `${text.slice(0, MOST_CHARS)}\n`);
  const parts = diffLines(old ?? '', now ?? '', { maxEditLength: MOST_EDITS }) ?? [
    { added: false, removed: true, value: old ?? '' },
    { added: true, removed: false, value: now ?? '' },
  ];
  const lines = parts.flatMap(({ added, removed, value }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): DifferentLine => ({ sign: added ? '+' : removed ? '-' : ' ', text })),
  );
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ sign }) => sign !== ' ');
  return lines.filter((_line, index) => isNear(index));
}
