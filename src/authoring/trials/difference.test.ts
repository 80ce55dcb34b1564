import { expect, it } from 'vitest';
import { differenceOf } from './difference.ts';
import type { TrialResult, TrialStep } from './trial.ts';

const trial = (answer: string, steps: readonly string[]): TrialResult => ({
  ...{ status: 'completed', error: null, result: null, answer, systemPrompt: 'You count.' },
  steps: steps.map(stepOf),
  ...{ modelCalls: 0, toolCalls: 0, costMicroUsd: 0, approvals: [], reworded: 0, unknown: 0 },
  ...{ durationMs: 1, answers: [], files: new Map() },
});
const stepOf = (target: string): TrialStep => ({
  ...{ name: 'file_io.read', target, tool: 'file_io', args: {}, ok: true, from: 'workspace' },
});

it('shows only the lines that one of the trials has, with a line of context', () => {
  const { steps, answer, prompt, isSame } = differenceOf(
    trial('8 lines\n', ['a.md']),
    trial('8 lines\nand 2 words', ['a.md', 'b.md']),
  );
  expect(prompt).toEqual([]);
  expect(steps.map(({ sign, text }) => sign + text)).toEqual([
    ' file_io.read a.md',
    '+file_io.read b.md',
  ]);
  expect(answer.at(-1)).toEqual({ sign: '+', text: 'and 2 words' });
  expect(isSame).toBe(false);
});

it('shows no empty line for a trial without requests or without an answer', () => {
  const some = trial('8 lines', ['a.md']);
  const none = trial('', []);
  expect(differenceOf(none, some)).toMatchObject({
    steps: [{ sign: '+', text: 'file_io.read a.md' }],
    answer: [{ sign: '+', text: '8 lines' }],
  });
  expect(differenceOf(some, none).steps).toEqual([{ sign: '-', text: 'file_io.read a.md' }]);
});
