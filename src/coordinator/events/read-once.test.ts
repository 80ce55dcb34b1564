import { expect, it } from 'vitest';
import { createReadOnce } from './follow-events.ts';

it('the same is read once until the database is looked at again', () => {
  let round = 1;
  let reads = 0;
  const readOnce = createReadOnce({ round: () => round });
  const read = (name: string) =>
    readOnce(name, () => {
      reads += 1;
      return undefined;
    });
  for (const name of ['a', 'a', 'b', 'a']) read(name);
  expect(reads).toBe(2);
  round = 2;
  read('a');
  expect(reads).toBe(3);
});
