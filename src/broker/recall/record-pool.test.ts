import { describe, expect, it } from 'vitest';
import { blankIntent } from '../../../test/setup/blank-intent.ts';
import type { IntentRecord, IntentStatus } from '../../contract/intent.ts';
import { hadEffect } from '../intent/record.ts';
import { createRecordPool, useOnReplay, useOnResume } from './record-pool.ts';

const record = (changes: Partial<IntentRecord>): IntentRecord =>
  blankIntent({ attemptId: 'a1', status: 'done', outcome: { ok: true }, ...changes });

describe('a recorded outcome', () => {
  it('is found by its id and hash before others with the same hash', () => {
    const pool = createRecordPool([
      record({ id: 'a', wireId: '1' }),
      record({ id: 'b', wireId: '2' }),
    ]);
    expect(pool.take('2', 'h1')?.id).toBe('b');
    expect(pool.take('2', 'h1')?.id).toBe('a');
    expect(pool.take('2', 'h1')).toBeUndefined();
  });

  it('is found by its hash alone, the oldest first, if it has no id', () => {
    const pool = createRecordPool([record({ id: 'a' }), record({ id: 'b' })]);
    expect([pool.take(undefined, 'h1')?.id, pool.take(undefined, 'h1')?.id]).toEqual(['a', 'b']);
  });

  it('is not given for another request, even under the same id', () => {
    const pool = createRecordPool([record({ wireId: '1' })]);
    expect(pool.take('1', 'another')).toBeUndefined();
    expect(pool.left()).toHaveLength(1);
  });

  it('is replaced by the outcome of a later attempt', () => {
    const failed = record({ id: 'a', kind: 'chat', status: 'failed', wireId: 'i1' });
    const done = record({ id: 'b', kind: 'chat', status: 'done', wireId: 'i1' });
    const pool = createRecordPool([failed, done]);
    expect(pool.take('i1', 'h1')?.id).toBe('b');
    expect(pool.left()).toEqual([]);
  });

  it('stays valid for requests after a different one', () => {
    const pool = createRecordPool([record({ id: 'a', wireId: '1' })]);
    expect(pool.take('1', 'another')).toBeUndefined();
    expect(pool.take('2', 'h1')?.id).toBe('a');
  });
});

describe('a record on resume', () => {
  const cases: readonly [string, Partial<IntentRecord>, string][] = [
    ['done', { status: 'done' }, 'answer'],
    ['denied by a person', { status: 'denied', denial: 'denied' }, 'answer'],
    ['denied for want of money', { status: 'denied', denial: 'budget' }, 'again'],
    ['denied by an open breaker', { status: 'denied', denial: 'provider' }, 'again'],
    ['expired', { status: 'denied', denial: 'expired' }, 'again'],
    [
      'a tool that failed',
      { status: 'failed', outcome: { error: { code: 'TOOL_FAILED' } } },
      'answer',
    ],
    [
      'a tool that was cut off',
      { status: 'failed', outcome: { error: { code: 'CANCELLED' } } },
      'again',
    ],
    ['a model that failed', { status: 'failed', kind: 'chat', repeatability: 'pure' }, 'again'],
    [
      'a read of a service that failed',
      { status: 'failed', kind: 'http', repeatability: 'pure' },
      'again',
    ],
    [
      'a change of a service whose answer was lost',
      {
        status: 'failed',
        kind: 'http',
        repeatability: 'unsafe',
        tier: 2,
        startedAt: '2026-05-01T00:00:00Z',
        outcome: { error: { code: 'TOOL_FAILED' } },
      },
      'answer',
    ],
    ['waiting for a person', { status: 'waiting', outcome: undefined }, 'adopt'],
    ['of unknown outcome', { status: 'unknown', outcome: undefined }, 'adopt'],
    ['never decided', { status: 'proposed', outcome: undefined }, 'adopt'],
  ];
  it.each(cases)('that is %s: %o → %s', (_what, changes, use) => {
    expect(useOnResume(record(changes))).toBe(use);
  });

  it('of a replay is used with any content except an empty one', () => {
    expect(useOnReplay(record({ status: 'failed', kind: 'chat', outcome: {} }))).toBe('answer');
    expect(useOnReplay(record({ status: 'waiting', outcome: undefined }))).toBe('again');
  });
});

describe('an effect is left behind', () => {
  const statuses: readonly [IntentStatus, boolean][] = [
    ['done', true],
    ['started', true],
    ['unknown', true],
    ['failed', false],
    ['denied', false],
    ['waiting', false],
  ];
  it.each(statuses)('by a write that is %s: %s', (status, expected) => {
    expect(hadEffect(record({ tier: 1, repeatability: 'idempotent', status }))).toBe(expected);
  });

  it('by a command that was stopped at its deadline, but not by one that never began', () => {
    const stopped = record({ tier: 2, repeatability: 'unsafe', status: 'failed' });
    expect(hadEffect({ ...stopped, startedAt: '2026-05-01T00:00:00Z' })).toBe(true);
    expect(hadEffect({ ...stopped, startedAt: null })).toBe(false);
  });

  it('not by a read', () => {
    expect(hadEffect(record({ status: 'done' }))).toBe(false);
  });
});
