import { expect, it } from 'vitest';
import type { RunRow } from '../../../../contract/documents/run-documents.ts';
import { listItems } from './list-items.ts';

const run = (id: string, is_free: boolean) =>
  ({ id, session_id: 'one', cost_usd: 0, is_free }) as RunRow;

it.each([
  ['its oldest run', [run('b', false), run('a', true)], false],
  ['its newest run', [run('b', true), run('a', false)], false],
  ['each of its runs', [run('b', true), run('a', true)], true],
])('a session of which %s is free', (_, runs, is_free) => {
  expect(listItems(runs)[0]).toMatchObject({ kind: 'session', runs: 2, is_free });
});
