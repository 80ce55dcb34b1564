import { expect, it } from 'vitest';
import type { RunEvent } from '../use-run-events.ts';
import { delaysOf } from './delays.ts';

const events = (...all: readonly [type: string, intentId?: string, problem?: string][]) =>
  all.map(
    ([type, intent_id, problem], second): RunEvent => ({
      seq: second,
      event: { type, at: `2026-11-29T06:00:0${second}.000Z`, intent_id, problem, wait_ms: 1_500 },
    }),
  );

it('a model call that failed waits until its next try', () => {
  expect(delaysOf(events(['model.requested', 'a'], ['model.delayed', 'a', '429']))).toEqual([
    { intentId: 'a', problem: '429', until: '2026-11-29T06:00:02.500Z' },
  ]);
});

it('only the last failure of a call counts, and none after its answer or the end of the run', () => {
  const twice = events(['model.delayed', 'a', '429'], ['model.delayed', 'a', '503']);
  expect(delaysOf(twice)).toMatchObject([{ problem: '503' }]);
  expect(delaysOf(events(['model.delayed', 'a', '429'], ['model.answered', 'a']))).toEqual([]);
  expect(delaysOf(events(['model.delayed', 'a', '429'], ['run.ended']))).toEqual([]);
});
