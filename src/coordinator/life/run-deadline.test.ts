import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { CapstanEvent } from '../../contract/event.ts';
import { createRunDeadline, type RunDeadline } from './run-deadline.ts';

const about = { at: '', run_id: 'r', capsule_id: 'c', intent_id: 'i' };
const started = (subtask_id: string): CapstanEvent => ({
  type: 'subtask.started',
  ...about,
  subtask_id,
  attempt: 1,
});
const asked = (approval_id: string, subtask_id: string): CapstanEvent => ({
  type: 'approval.asked',
  ...about,
  subtask_id,
  approval_id,
  kind: 'tool',
  question: 'May it?',
});
const decided = (approval_id: string, subtask_id: string): CapstanEvent => ({
  type: 'approval.decided',
  ...about,
  subtask_id,
  approval_id,
  answer: 'approve',
  by: 'terminal',
});

let deadline: RunDeadline | undefined;
afterEach(() => deadline?.stop());

/** A deadline of 40 ms that got these events, and a promise that resolves when it passes. */
function deadlineOf(...events: readonly CapstanEvent[]) {
  let isLate = false;
  const passed = new Promise<void>((resolve) => {
    deadline = createRunDeadline(40, () => {
      isLate = true;
      resolve();
    });
    for (const event of events) deadline.listener(event);
  });
  return { passed, isLate: () => isLate, emit: (event: CapstanEvent) => deadline?.listener(event) };
}

describe("a run's deadline", () => {
  it('passes while subtasks work', async () => {
    await deadlineOf(started('s1')).passed;
  });

  it('stops while every step waits for a person, and continues with the answer', async () => {
    const { isLate, passed, emit } = deadlineOf(started('s1'), asked('a1', 's1'));
    await wait(160);
    expect(isLate()).toBe(false);
    emit(decided('a1', 's1'));
    await passed;
  });

  it('is paused if the coordinator itself asks before any subtask', async () => {
    const { isLate } = deadlineOf(asked('a1', ''));
    await wait(160);
    expect(isLate()).toBe(false);
  });

  it('passes while another subtask works at the same time', async () => {
    await deadlineOf(started('s1'), started('s2'), asked('a1', 's1')).passed;
  });

  it('passes if the attempt that asked was replaced by another', async () => {
    await deadlineOf(started('s1'), asked('a1', 's1'), started('s1')).passed;
  });

  it('never passes if no deadline is set', () => {
    const { listener, stop } = createRunDeadline(undefined, () => {
      throw new Error('late');
    });
    listener(started('s1'));
    stop();
  });
});
