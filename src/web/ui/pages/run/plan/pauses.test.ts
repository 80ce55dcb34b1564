import { expect, it } from 'vitest';
import type { RunEvent } from '../use-run-events.ts';
import { pausesOf } from './pauses.ts';

const event = (second: number, type: string, more: object = {}): RunEvent => ({
  seq: second,
  event: { type, at: `2026-11-29T06:00:0${second}.000Z`, ...more },
});
const seconds = (events: readonly RunEvent[]) =>
  pausesOf(events).map(({ from, to, why }) => [
    new Date(from).getSeconds(),
    (to - from) / 1_000,
    why,
  ]);

it('a run that was killed paused since its last event, a parked or failed one since it ended', () => {
  expect(
    seconds([
      event(0, 'run.started'),
      event(1, 'tool.answered'),
      event(3, 'run.resumed'),
      event(4, 'run.ended', { status: 'parked' }),
      event(5, 'approval.decided'),
      event(6, 'run.resumed'),
      event(7, 'run.ended', { status: 'failed' }),
      event(8, 'message.received'),
      event(9, 'run.resumed'),
    ]),
  ).toEqual([
    [1, 2, 'process ended'],
    [4, 2, 'parked'],
    [7, 2, 'ended'],
  ]);
});

it('a run that the next process found and parked paused since the last event before', () => {
  const crashed = event(4, 'run.ended', { status: 'parked', reason: 'crashed' });
  expect(seconds([event(1, 'model.requested'), crashed, event(5, 'run.resumed')])).toEqual([
    [1, 4, 'process ended'],
  ]);
});

it('a run that was never resumed did not pause', () => {
  expect(seconds([event(0, 'run.started'), event(1, 'run.ended', { status: 'parked' })])).toEqual(
    [],
  );
});
