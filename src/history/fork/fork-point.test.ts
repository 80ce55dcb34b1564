import { describe, expect, it } from 'vitest';
import type { IntentRecord } from '../../contract/intent.ts';
import { findForkPoint } from './fork-point.ts';

const intent = (id: string, changes: Partial<IntentRecord> = {}) =>
  ({
    id,
    name: 'file_io.write',
    target: 'a.md',
    tier: 1,
    repeatability: 'idempotent',
    status: 'done',
    subtaskId: 's1',
    effects: undefined,
    ...changes,
  }) as IntentRecord;

const ids = ['01a1fd10-aaaa', '01a1fd10-bbbb', '99990000-cccc'];
const intents = ids.map((id) => intent(id));

describe('the point of a fork', () => {
  it.each([
    ['its number', '2', '01a1fd10-bbbb'],
    ['its whole id', '01a1fd10-aaaa', '01a1fd10-aaaa'],
    ['the beginning of its id', '9999', '99990000-cccc'],
  ])('is found by %s, with all before it', (_, named, id) => {
    const point = findForkPoint(intents, named);
    expect(point.intent.id).toBe(id);
    expect(point.history.map((one) => one.id)).toEqual(ids.slice(0, point.number));
  });

  it.each([
    ['0', 'names no request'],
    ['4', 'names no request'],
    ['-1', 'names no request'],
    ['', 'names no request'],
    ['01a1fd10', 'names 2 requests'],
  ])('is not found by "%s", and the error says what is possible', (named, problem) => {
    expect(() => findForkPoint(intents, named)).toThrow(problem);
    expect(() => findForkPoint(intents, named)).toThrow('1 to 3');
  });
});
