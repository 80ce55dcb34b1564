import { expect, it } from 'vitest';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { ActiveRun } from '../run-host.ts';
import { type Following, followToEnd } from './follow-to-end.ts';

it('a run whose parts close after it was resumed stays registered', async () => {
  const active = new Map<string, ActiveRun>();
  const follow = (close: () => Promise<void>, ended: Promise<RunRecord>) =>
    followToEnd(
      { id: 'run-1' } as RunRecord,
      {
        host: { active },
        prepared: {
          provider: {},
          loaded: { settings: { budget: { runMicroUsd: 1_000_000 } } },
          close,
        },
        stop: {},
        endListening: () => {},
        ended,
      } as unknown as Following,
    );
  let closeFirst = () => {};
  const closing = new Promise<void>((resolve) => {
    closeFirst = resolve;
  });
  const first = follow(() => closing, Promise.reject(new Error('parked')));
  follow(async () => {}, new Promise(() => {}));
  const second = active.get('run-1');
  closeFirst();
  await expect(first.finished).rejects.toThrow('parked');
  expect(active.get('run-1')).toBe(second);
});
