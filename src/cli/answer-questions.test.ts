import { expect, it, vi } from 'vitest';
import type { Capstan } from '../app/open-capstan.ts';
import type { CapstanEvent } from '../contract/event.ts';
import { answerQuestions } from './answer-questions.ts';

const asked = (approval_id: string) => ({ type: 'approval.asked', approval_id }) as CapstanEvent;
const decided = (approval_id: string) =>
  ({ type: 'approval.decided', approval_id }) as CapstanEvent;

/** A terminal at which the user closes the prompt of these questions, and leaves every other one on the screen. */
function questionsWith(closed: readonly string[]) {
  const approvals = { get: async (id: string) => ({ id, binding: '' }) };
  const ask = ({ id }: { id: string }, signal: AbortSignal) =>
    closed.includes(id)
      ? Promise.resolve(undefined)
      : new Promise<undefined>((resolve) =>
          signal.addEventListener('abort', () => resolve(undefined)),
        );
  return answerQuestions({ approvals } as unknown as Capstan, { ask }, () => {});
}

it('counts nobody as present once the prompt of every open question was closed, until the next one opens', async () => {
  const questions = questionsWith(['q1', 'q2']);
  expect(questions.isEverySkipped()).toBe(false);
  questions.take(asked('q1'));
  await vi.waitFor(() => expect(questions.isEverySkipped()).toBe(true));
  questions.take(asked('q3'));
  expect(questions.isEverySkipped()).toBe(false);
  questions.take(decided('q3'));
  await vi.waitFor(() => expect(questions.isEverySkipped()).toBe(true));
  questions.take(decided('q1'));
  expect(questions.isEverySkipped()).toBe(false);
});
