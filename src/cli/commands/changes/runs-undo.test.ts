import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changingRun } from '../../../../test/programs/changing-run.ts';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import type { CommandIo } from '../../command.ts';
import { command } from '../runs/runs.ts';

let person: Person;
let id: string;
beforeEach(async () => {
  person = temporaryPerson();
  person.writeProject('a.txt', 'one\ntwo\n');
  const run = changingRun(person);
  await run.write('a.txt', 'one\n2\n');
  await run.shell('echo new > b.txt');
  id = run.end();
});
afterEach(() => person.remove());

const read = (name: string) => readFileSync(join(person.project, name), 'utf8');

async function runs(
  name: string,
  positionals: readonly string[],
  options: Record<string, unknown> = {},
  changes: Partial<CommandIo> = {},
) {
  const io = ioOf({ environment: person.environment, cwd: person.project }, changes);
  const subcommand = command.subcommands?.find((one) => one.name === name);
  const exitCode = await subcommand?.run({ positionals, options }, io);
  return { exitCode, out: io.out(), errors: io.errors() };
}

describe('capstan runs diff', () => {
  it('prints the diff of every file, and what is not undoable', async () => {
    const { out } = await runs('diff', ['last']);
    expect(out).toContain('changed a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
    expect(out).toMatch(/^changed +a\.txt +\+1 -1 +s1$/m);
    expect(out).toMatch(/^created +b\.txt +\+1 -0 +s1$/m);
    expect(out).toMatch(
      /Effects outside of files, if any \(not undoable\)\ndone +terminal\.write echo new > b\.txt +s1/,
    );
  });

  it('colours lines on a terminal, and only lists the files with --stat', async () => {
    const { out } = await runs('diff', [id.slice(-4)], {}, { isOutputTerminal: true });
    expect(out).toContain('\u001b[32m+2\u001b[39m');
    expect((await runs('diff', ['last'], { stat: true })).out).not.toContain('@@');
  });

  it('prints one document with --json', async () => {
    const { out } = await runs('diff', [id], { json: true });
    expect(JSON.parse(out)).toMatchObject({
      run_id: id,
      complete: true,
      files: [
        { path: 'a.txt', change: 'changed', undoable: true },
        { path: 'b.txt', change: 'created', kind: 'program' },
      ],
      not_undoable: [{ kind: 'command' }],
    });
  });
});

describe('capstan runs undo', () => {
  it('lists the changes, asks, and reports what it did', async () => {
    const input = Readable.from(['y\n']);
    const { exitCode, out, errors } = await runs('undo', [id], {}, { isTerminal: true, input });
    expect(errors).toMatch(/^restore +a\.txt\nremove +b\.txt\n/);
    expect(errors).toContain('Undo 2 files? [y/N]');
    expect(out).toBe('restored  a.txt\nremoved   b.txt\n');
    expect(exitCode).toBe(0);
    expect([read('a.txt'), existsSync(join(person.project, 'b.txt'))]).toEqual([
      'one\ntwo\n',
      false,
    ]);
  });

  it('succeeds if nothing is left to undo, and fails if every file was left out', async () => {
    await runs('undo', [id], { yes: true });
    const again = await runs('undo', [id], { yes: true });
    expect(again).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^There is nothing to do/),
    });
    person.writeProject('a.txt', 'mine\n');
    person.writeProject('b.txt', 'mine\n');
    const refused = await runs('undo', [id], { yes: true });
    expect(refused).toMatchObject({
      exitCode: 1,
      out: expect.stringMatching(/^Nothing was changed\.\nLeft out\na\.txt /),
    });
  });

  it('changes nothing without an approval', async () => {
    const input = Readable.from(['\n']);
    const { exitCode, out } = await runs('undo', [id], {}, { isTerminal: true, input });
    expect([exitCode, out]).toEqual([1, 'Nothing was changed.\n']);
    await expect(runs('undo', [id])).rejects.toMatchObject({ code: 'USAGE' });
    expect((await runs('undo', [id], { dryRun: true })).out).toMatch(/^restore +a\.txt\n/);
    expect(read('a.txt')).toBe('one\n2\n');
  });

  it('says how to include what a command changed without naming it, and which new files stay', async () => {
    person.writeProject('made.txt', 'one\n');
    person.writeProject(
      'make.sh',
      'echo two > made.txt; for i in 1 2 3 4; do echo x > new$i; done',
    );
    const run = changingRun(person);
    await run.shell('sh make.sh');
    const unnamed = run.end();
    const asking = await runs('undo', [unnamed], { dryRun: true });
    const stay = 'New files that appeared while commands ran stay (4): new1, new2, new3, …\n';
    expect(asking.out).toMatch(/^restore +made\.txt +changed while a command ran/);
    expect(asking.out).toContain(stay);
    const { out } = await runs('undo', [unnamed], { yes: true });
    expect(out).toContain(stay);
    expect(out).toMatch(/Without --yes, undo asks about the 1 file that changed while a command/);
    expect(read('made.txt')).toBe('two\n');
  });

  it('never says that nothing was changed or is to do after a command that was cut off', async () => {
    const run = changingRun(person);
    run.cutOff();
    const cutOff = run.end();
    const caveat = 'Not all files were compared (a command was interrupted)';
    const diff = await runs('diff', [cutOff]);
    expect(diff.out).toMatch(/^No change of a file is known\.\n/);
    expect(diff.out).toContain(caveat);
    const { out } = await runs('undo', [cutOff], { yes: true });
    expect(out).toContain(`Nothing was changed.\n${caveat}`);
  });

  it('restores what an undo replaced', async () => {
    await runs('undo', [id], { yes: true });
    const { out } = await runs('undo', [id], { yes: true, redo: true, json: true });
    expect(JSON.parse(out)).toMatchObject({ action: 'redo', status: 'done' });
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\n2\n', 'new\n']);
  });

  it('finds no stored content of a deleted run', async () => {
    await runs('delete', [id], { yes: true });
    expect(existsSync(join(person.home, 'state/runs', id))).toBe(false);
    await expect(runs('undo', [id], { yes: true })).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
  });
});
