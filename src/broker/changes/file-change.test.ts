import { describe, expect, it } from 'vitest';
import {
  afterOf,
  beginChange,
  decideUndo,
  endChange,
  type FileChange,
  netChange,
} from './file-change.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const C = 'c'.repeat(64);
const by = { runId: 'r', kind: 'tool', subtaskId: 's1', intentId: 'i1' } as const;
const seen = (state: string, mode: number | null = 0o644) => ({
  state,
  mode: state === 'absent' ? null : mode,
  bytes: 1,
});
const foundAs = (state: string, planned: string | null = null) => ({
  path: '/w/a',
  seen: seen(state),
  keptBytes: state === 'absent' ? null : 1,
  problem: null,
  planned,
});
const kept = () => true;

/** A file that goes through these contents, one operation each. */
function through(...states: readonly string[]): FileChange {
  const [first = 'absent', ...rest] = states;
  let row: FileChange | undefined;
  let last = first;
  for (const state of rest) {
    row = endChange(beginChange(row, by, foundAs(last)), by, seen(state));
    last = state;
  }
  if (row === undefined) throw new Error('one content is no change');
  return row;
}

describe('a changed file', () => {
  it('has the first content as the one before, and the last as the one after', () => {
    expect(through(A, B, C)).toMatchObject({ before: A, after: C });
    expect(netChange(through(A, B), B)).toBe('changed');
    expect(netChange(through('absent', A, B), B)).toBe('created');
    expect(netChange(through(A, B, 'absent'), 'absent')).toBe('deleted');
    expect(netChange(through(A, B, A), A)).toBeUndefined();
    expect(netChange(through('absent', A, 'absent'), 'absent')).toBeUndefined();
  });

  it('differs by its mode alone', () => {
    const row = endChange(beginChange(undefined, by, foundAs(A)), by, seen(A, 0o755));
    expect(netChange(row, A)).toBe('changed');
    expect(decideUndo(row, seen(A, 0o755), kept)).toMatchObject({ action: 'restore', mode: 0o644 });
    expect(decideUndo(row, seen(A), kept)).toEqual({ kind: 'nothing' });
  });

  it('has the planned content if the process died after the effect', () => {
    const row = beginChange(through(A, B), by, foundAs(B, C));
    expect([afterOf(row, B), afterOf(row, C), afterOf(row, A)]).toEqual([B, C, B]);
    expect(decideUndo(row, seen(C), kept)).toMatchObject({ action: 'restore', to: A });
  });

  it('stays as it is if the result of an interrupted operation is unknown', () => {
    const row = beginChange(undefined, by, foundAs(A));
    expect(decideUndo(row, seen(B), kept)).toEqual({ kind: 'leave', reason: 'outcome_unknown' });
    expect(decideUndo(row, seen(A), kept)).toEqual({ kind: 'nothing' });
  });

  it('stays as it is if something else changed it between two operations', () => {
    const row = endChange(beginChange(through(A, B), by, foundAs(C)), by, seen(B));
    expect(decideUndo(row, seen(B), kept)).toEqual({ kind: 'leave', reason: 'changed_between' });
  });

  it('can be changed again by the run after an undo', () => {
    const undone = { ...through(A, B), undoneAt: '2026-01-01' };
    const row = endChange(beginChange(undone, by, foundAs(A)), by, seen(C));
    expect(row).toMatchObject({ before: A, after: C, undoneAt: null, problem: null });
  });

  it('stays as it is if its stored content is gone', () => {
    const decision = decideUndo(through(A, B), seen(B), () => false);
    expect(decision).toEqual({ kind: 'leave', reason: 'not_stored' });
  });
});
