import { expect, it } from 'vitest';
import type { AttemptScope } from '../intent/scope.ts';
import { countOutcome, countRequest } from './loop-guard.ts';

it('ends an attempt after ten consecutive failures, of which cancelled calls are none', () => {
  const ends: Error[] = [];
  const tally = { errorsInARow: 0 };
  const end = (error: Error) => ends.push(error);
  const scope = { tally, attemptId: 'a', end } as unknown as AttemptScope;
  const fail = (code: string, times: number) => {
    for (let time = 0; time < times; time += 1) countOutcome({ code, message: code }, scope);
  };
  fail('CANCELLED', 20);
  fail('TOOL_FAILED', 9);
  expect(ends).toEqual([]);
  fail('TOOL_FAILED', 1);
  expect(ends).toMatchObject([{ code: 'LOOP_ERRORS' }]);
});

it('quotes the target of a request that was made too often', () => {
  const list = { requestHash: 'h', name: 'file_io.list', target: '.' };
  const requests = new Map([['h', 12]]);
  expect(countRequest(list, { requests })?.message).toMatch(/: file_io\.list "\."\.$/);
});
