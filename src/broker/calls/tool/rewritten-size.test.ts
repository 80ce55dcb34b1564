import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChangingRun, changingRun } from '../../../../test/programs/changing-run.ts';
import { startCpuClock } from '../../../../test/setup/cpu-clock.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';

let person: Person;
let run: ChangingRun;
beforeEach(() => {
  person = temporaryPerson();
  run = changingRun(person);
});
afterEach(() => {
  run.end();
  person.remove();
});

const GIB = 1024 ** 3;

describe('a file that is too large to be rewritten', () => {
  it.each([
    ['edit', { old_text: 'a', new_text: 'b' }],
    ['replace', { old_text: 'a', new_text: 'b' }],
    ['append', { content: 'b' }],
  ])('is refused to %s by its size, without being read', async (operation, args) => {
    person.writeProject('huge.txt', 'a\n');
    truncateSync(join(person.project, 'huge.txt'), 5 * GIB);
    const cpuMs = startCpuClock();
    const answer = await run.tool('file_io', { operation, path: 'huge.txt', ...args });
    expect(cpuMs()).toBeLessThan(1_000);
    expect(answer).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(`"huge.txt" has ${5 * GIB} bytes`) },
    });
  });

  it('is not measured if the capsule may not touch it', async () => {
    const closed = join(person.home, 'huge.txt');
    writeFileSync(closed, 'a\n');
    truncateSync(closed, 5 * GIB);
    const args = { operation: 'append', path: closed, content: 'b' };
    const { error } = await run.tool('file_io', args);
    expect(error?.message).not.toContain(`${5 * GIB}`);
  });
});
