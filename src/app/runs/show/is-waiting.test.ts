import { expect, it } from 'vitest';
import type { RunStatus, SubtaskStatus } from '../../../contract/status.ts';
import { isWaiting } from './run-summary.ts';

const facts = (status: RunStatus, openQuestions: number, ...steps: SubtaskStatus[]) => ({
  ...{ status, openQuestions },
  steps: steps.map((step) => ({ status: step })),
});

it.each([
  ['its plan is asked about', facts('running', 1, 'pending', 'pending'), true],
  ['its only step asks', facts('running', 1, 'completed', 'waiting_approval'), true],
  ['another step works', facts('running', 1, 'waiting_approval', 'running'), false],
  ['nothing is asked', facts('running', 0, 'pending'), false],
  ['it is parked', facts('parked', 1, 'waiting_approval'), false],
])('a run waits for a person only if nothing else can continue: %s', (_, given, expected) => {
  expect(isWaiting(given)).toBe(expected);
});
