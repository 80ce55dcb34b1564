import { describe, expect, it } from 'vitest';
import { fileStateOf } from './file-state.ts';

describe('fileStateOf', () => {
  it.each([
    [{ now: undefined }, 'absent'],
    [{ now: undefined, readByRun: 'a' }, 'changed_since_read'],
    [{ now: 'a' }, 'other'],
    [{ now: 'a', readByRun: 'a' }, 'other'],
    [{ now: 'a', readByRun: 'b' }, 'changed_since_read'],
    [{ now: 'a', writtenByCapstan: 'a' }, 'written_last_by_capstan'],
    [{ now: 'a', readByRun: 'a', writtenByCapstan: 'a' }, 'written_last_by_capstan'],
    [{ now: 'a', readByRun: 'b', writtenByCapstan: 'a' }, 'changed_since_read'],
    [{ now: 'a', readByRun: 'a', writtenByCapstan: 'b' }, 'other'],
    [{ now: 'c', readByRun: 'a', writtenByCapstan: 'a' }, 'changed_since_read'],
  ] as const)('%j is %s', (history, state) => {
    expect(fileStateOf(history)).toBe(state);
  });
});
