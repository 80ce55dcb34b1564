import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import type { Db } from '../../db/open-database.ts';
import { createBreakerStore } from './breaker-store.ts';

let db: Db;
let nowMs: number;
beforeEach(() => {
  ({ db } = temporaryDatabase());
  nowMs = Date.parse('2026-01-01T12:00:00Z');
});

const key = { provider: 'openai', model: 'gpt-x' };
const other = { provider: 'openai', model: 'gpt-y' };
const failure = { isProbe: false, problem: 'it answered (503)' };
const open = () => createBreakerStore(db, { failures: 2, restMs: 1_000 }, () => new Date(nowMs));

describe('the breakers of the database', () => {
  it('open at the last of the consecutive failures, for this model only and for every process', () => {
    const store = open();
    expect([store.fail(key, failure), store.fail(key, failure)]).toEqual([false, true]);
    expect(open().stateOf(key)).toEqual({ kind: 'open', restMs: 1_000 });
    expect(store.stateOf(other)).toEqual({ kind: 'closed' });
  });

  it('count from zero after a success', () => {
    const store = open();
    store.fail(key, failure);
    expect(store.succeed(key)).toBe(false);
    expect(store.fail(key, failure)).toBe(false);
  });

  it('allow one probe after the pause, and another one if it never ended', () => {
    const [ours, theirs] = [open(), open()];
    ours.fail(key, failure);
    ours.fail(key, failure);
    expect(ours.claimProbe(key, 500)).toBe(false);
    nowMs += 1_000;
    expect([ours.claimProbe(key, 500), theirs.claimProbe(key, 500)]).toEqual([true, false]);
    expect(theirs.stateOf(key)).toEqual({ kind: 'open', restMs: 500 });
    nowMs += 500;
    expect(theirs.claimProbe(key, 500)).toBe(true);
  });

  it('close after a successful probe, and open again after a failed one', () => {
    const store = open();
    store.fail(key, failure);
    store.fail(key, failure);
    nowMs += 1_000;
    store.claimProbe(key, 500);
    expect(store.fail(key, { ...failure, isProbe: true })).toBe(true);
    expect(store.stateOf(key)).toEqual({ kind: 'open', restMs: 1_000 });
    nowMs += 1_000;
    store.claimProbe(key, 500);
    expect(store.succeed(key)).toBe(true);
    expect([store.isClean(key), store.list()]).toEqual([true, []]);
  });

  it('pass a probe without a result on to the next call', () => {
    const store = open();
    store.fail(key, failure);
    store.fail(key, failure);
    nowMs += 1_000;
    store.claimProbe(key, 500);
    store.returnProbe(key);
    expect(store.stateOf(key)).toEqual({ kind: 'half_open' });
  });

  it('are reset by provider, or by provider and model', () => {
    const store = open();
    for (const one of [key, other]) store.fail(one, failure);
    expect(store.reset('openai', 'gpt-x')).toMatchObject([key]);
    expect(store.list()).toMatchObject([{ ...other, failures: 1, lastProblem: failure.problem }]);
    expect(store.reset('anthropic')).toEqual([]);
    expect(store.reset('openai')).toMatchObject([other]);
  });
});
