import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ChangingRun,
  type ChangingRunOptions,
  changingRun,
} from '../../../../test/programs/changing-run.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { createRedactor } from '../../../policy/secrets/redact.ts';
import { type Capstan, openCapstan } from '../../open-capstan.ts';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

const at = (path: string) => join(person.project, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
const modeOf = (path: string) => statSync(at(path)).mode & 0o777;

/** The id of a run that made these calls and has ended. */
async function ranWith(
  work: (run: ChangingRun) => Promise<unknown>,
  options?: ChangingRunOptions,
): Promise<string> {
  const run = changingRun(person, options);
  await work(run);
  return run.end();
}

const undo = (id: string, redo = false) => capstan.runs.undo(id, { by: 'test', redo });
const filesOf = async (id: string) =>
  (await capstan.runs.diff(id)).files.map(({ path, change, undoable, reason }) => [
    path,
    change,
    undoable ? 'undoable' : reason,
  ]);

describe('the difference of a run', () => {
  it('is between the first content of a file and the last', async () => {
    person.writeProject('notes.md', 'one\ntwo\n');
    const id = await ranWith(async (run) => {
      await run.write('notes.md', 'one\n2\n');
      await run.tool('file_io', {
        operation: 'edit',
        path: 'notes.md',
        old_text: 'one',
        new_text: '1',
      });
      await run.write('new.md', 'first');
      await run.tool('file_io', { operation: 'append', path: 'new.md', content: ' second' });
    });
    const { files, complete } = await capstan.runs.diff(id);
    expect(complete).toBe(true);
    expect(files).toMatchObject([
      { path: 'new.md', change: 'created', kind: 'tool', made_by: 's1', now: 'same' },
      { path: 'notes.md', change: 'changed', undoable: true, reason: null, now: 'same' },
    ]);
    expect(files[0]?.diff).toContain('+first second');
    expect(files[1]?.diff).toContain('-one\n-two\n+1\n+2\n');
  });

  it('leaves out a file that was changed and changed back, also by different tools', async () => {
    person.writeProject('a.txt', 'same');
    const id = await ranWith(async (run) => {
      await run.write('a.txt', 'other');
      await run.shell('printf same > a.txt; printf x > b.txt; rm b.txt');
    });
    expect(await filesOf(id)).toEqual([]);
  });

  it('is still shown after the person changed the file, if its content was recorded', async () => {
    person.writeProject('a.txt', 'one\ntwo\n');
    person.writeProject('b.txt', 'one\n');
    const id = await ranWith(async (run) => {
      const edit = { operation: 'edit', path: 'a.txt' };
      await run.tool('file_io', { ...edit, old_text: 'one', new_text: '1' });
      await run.tool('file_io', { ...edit, old_text: 'two', new_text: '2' });
      await run.write('new.txt', 'made\n');
      await run.shell('echo two > b.txt');
    });
    for (const name of ['a', 'b', 'new']) writeFileSync(at(`${name}.txt`), 'mine\n');
    const { files } = await capstan.runs.diff(id);
    expect(files).toMatchObject([
      {
        path: 'a.txt',
        now: 'changed_since',
        diff: expect.stringMatching(/-one\n-two\n\+1\n\+2\n$/),
      },
      { path: 'b.txt', diff: null, diff_problem: 'changed_since' },
      { path: 'new.txt', diff: expect.stringMatching(/\+made\n$/) },
    ]);
  });

  it('has files that programs wrote without being named', async () => {
    person.writeProject('sub/old.txt', 'old');
    person.writeProject('make.sh', 'echo new > sub/old.txt; echo more > sub/more.txt; rm gone.txt');
    person.writeProject('gone.txt', 'gone');
    const id = await ranWith((run) => run.shell('sh make.sh'));
    expect(await filesOf(id)).toEqual([
      ['gone.txt', 'deleted', 'undoable'],
      ['sub/more.txt', 'created', 'appeared_during_command'],
      ['sub/old.txt', 'changed', 'undoable'],
    ]);
    const { not_undoable } = await capstan.runs.diff(id);
    expect(not_undoable).toMatchObject([{ kind: 'command', what: 'terminal.write sh make.sh' }]);
  });

  it('does not count a file as created that a removed ignore rule had hidden', async () => {
    person.writeProject('.gitignore', 'private/\n');
    person.writeProject('private/mine.txt', 'mine');
    execFileSync('sleep', ['0.05']);
    const id = await ranWith((run) => run.shell('rm .gitignore'));
    expect(await filesOf(id)).toEqual([['.gitignore', 'deleted', 'undoable']]);
  });

  it('distinguishes text from other content, and copies no secret', async () => {
    person.writeProject('data.bin', 'text');
    const secret = 'sk-0123456789abcdef0123456789abcdef';
    person.writeProject('key.txt', `key ${secret}\n`);
    await capstan.close();
    const env = { ...person.environment, OPENAI_API_KEY: secret };
    capstan = await openCapstan({ env, cwd: person.project });
    const parts = { redactor: createRedactor([secret]) };
    const id = await ranWith(
      async (run) => {
        await run.shell("printf 'a\\0b' > data.bin");
        await run.write('key.txt', 'none\n');
      },
      { parts },
    );
    const { files } = await capstan.runs.diff(id);
    expect(files).toMatchObject([
      { path: 'data.bin', diff: null, diff_problem: 'binary', undoable: true },
      { path: 'key.txt', diff: null, undoable: false, reason: 'holds_secret' },
    ]);
    expect(JSON.stringify(files)).not.toContain(secret);
  });

  it.each(['printf 2 >', 'rm', 'touch c; mv c'])(
    'is incomplete after a command that changed a file whose name is not UTF-8: %s',
    async (change) => {
      const odd = Buffer.concat([Buffer.from(`${person.project}/a`), Buffer.from([0xff])]);
      writeFileSync(odd, '1');
      const id = await ranWith((run) => run.shell(`${change} "$(printf 'a\\377')"; echo > b`));
      const { complete, files, gaps } = await capstan.runs.diff(id);
      expect({ complete, gaps }).toMatchObject({
        complete: false,
        gaps: [{ reason: 'name_not_utf8' }],
      });
      expect(files.map(({ path }) => path)).toContain('b');
      const other = await ranWith((run) => run.shell('echo > d'));
      expect((await capstan.runs.diff(other)).complete).toBe(true);
    },
  );

  it('treats words that are not paths as words, and a backslash in a name as a backslash', async () => {
    const id = await ranWith(async (run) => {
      const long = 'x'.repeat(5_000);
      expect(
        await run.shell(`printf '${long}' > /dev/null; cat a.txt/b ${long.slice(0, 300)}`),
      ).toMatchObject({ ok: true });
      await run.shell("printf x > 'a\\xff'");
    });
    expect(await filesOf(id)).toEqual([['a\\xff', 'created', 'undoable']]);
    expect(await undo(id)).toMatchObject({ status: 'done' });
  });

  it('never keeps a protected file', async () => {
    person.writeProject('.env', 'SECRET=1');
    const id = await ranWith((run) => run.shell('echo SECRET=2 > .env'));
    expect(await filesOf(id)).toEqual([]);
    expect(existsSync(join(person.home, 'state/runs', id, 'before'))).toBe(false);
  });
});

describe('undoing a run', () => {
  it('restores, removes and recreates what tools and named files became', async () => {
    person.writeProject('edited.txt', 'edited\n');
    person.writeProject('moved.txt', 'moved\n');
    person.writeProject('removed.txt', 'removed\n');
    const id = await ranWith(async (run) => {
      await run.shell('sed -i s/edited/changed/ edited.txt && mv moved.txt there.txt');
      await run.shell('rm removed.txt');
      await run.write('made/new.txt', 'new');
    });
    expect(read('edited.txt')).toBe('changed\n');
    const plan = await capstan.runs.undo(id, { by: 'test', dryRun: true });
    expect(plan).toMatchObject({
      status: 'planned',
      steps: [
        { path: 'edited.txt', action: 'restore' },
        { path: 'made/new.txt', action: 'remove' },
        { path: 'moved.txt', action: 'recreate' },
        { path: 'removed.txt', action: 'recreate' },
        { path: 'there.txt', action: 'remove' },
      ],
    });
    expect(read('edited.txt')).toBe('changed\n');
    const result = await undo(id.slice(-8));
    expect(result).toMatchObject({ status: 'done', failed: [], left_out: [] });
    expect([read('edited.txt'), read('moved.txt'), read('removed.txt')]).toEqual([
      'edited\n',
      'moved\n',
      'removed\n',
    ]);
    expect(existsSync(at('there.txt')) || existsSync(at('made/new.txt'))).toBe(false);
    expect((await capstan.runs.diff(id)).files.map(({ now }) => now)).toEqual(
      Array(5).fill('undone'),
    );
    expect(await undo(id)).toMatchObject({ status: 'nothing' });
  });

  it('puts back what was moved and deleted', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(at(name), `${name}\n`);
    const id = await ranWith(async ({ tool }) => {
      await tool('file_io', { operation: 'move', path: 'a.txt', to: 'docs/' });
      await tool('file_io', { operation: 'rename', path: 'b.txt', to: 'c.txt', replace: true });
      await tool('file_io', { operation: 'copy', path: 'c.txt', to: 'd.txt' });
      await tool('file_io', { operation: 'delete', path: 'c.txt' });
    });
    expect(await filesOf(id)).toEqual([
      ['a.txt', 'deleted', 'undoable'],
      ['b.txt', 'deleted', 'undoable'],
      ['c.txt', 'deleted', 'undoable'],
      ['d.txt', 'created', 'undoable'],
      ['docs/a.txt', 'created', 'undoable'],
    ]);
    await undo(id);
    expect(['a.txt', 'b.txt', 'c.txt'].map(read)).toEqual(['a.txt\n', 'b.txt\n', 'c.txt\n']);
    expect(existsSync(at('d.txt')) || existsSync(at('docs/a.txt'))).toBe(false);
  });

  it('can be undone itself', async () => {
    person.writeProject('a.txt', 'before');
    person.writeProject('gone.txt', 'gone');
    const id = await ranWith(async (run) => {
      await run.write('a.txt', 'after');
      await run.write('b.txt', 'new');
      await run.shell('rm gone.txt');
    });
    await undo(id);
    expect(await undo(id, true)).toMatchObject({ status: 'done' });
    expect([read('a.txt'), read('b.txt'), existsSync(at('gone.txt'))]).toEqual([
      'after',
      'new',
      false,
    ]);
    expect(await undo(id, true)).toMatchObject({ status: 'nothing' });
    expect(await undo(id)).toMatchObject({ status: 'done' });
    expect([read('a.txt'), existsSync(at('b.txt')), read('gone.txt')]).toEqual([
      'before',
      false,
      'gone',
    ]);
  });

  it('stays in force when the run before it, which created the file, is undone too', async () => {
    const first = await ranWith((run) => run.write('a.txt', 'one'));
    const second = await ranWith((run) => run.write('a.txt', 'two'));
    for (const id of [second, first]) expect(await undo(id)).toMatchObject({ status: 'done' });
    for (const id of [second, first])
      expect((await capstan.runs.diff(id)).files).toMatchObject([{ now: 'undone' }]);
  });

  it('leaves out what changed since, and says why', async () => {
    for (const name of ['edited', 'removed', 'taken', 'linked', 'mode'])
      person.writeProject(`${name}.txt`, 'before');
    const id = await ranWith(async (run) => {
      for (const name of ['edited', 'removed', 'linked', 'mode', 'made'])
        await run.write(`${name}.txt`, 'after');
      await run.shell('rm taken.txt');
    });
    writeFileSync(at('edited.txt'), 'mine');
    rmSync(at('removed.txt'));
    writeFileSync(at('taken.txt'), 'mine');
    renameSync(at('linked.txt'), at('elsewhere.txt'));
    symlinkSync('elsewhere.txt', at('linked.txt'));
    chmodSync(at('mode.txt'), 0o600);
    writeFileSync(at('made.txt'), 'mine');
    const result = await undo(id);
    expect(result.done).toEqual([]);
    expect(Object.fromEntries(result.left_out.map(({ path, reason }) => [path, reason]))).toEqual({
      'edited.txt': 'changed_since',
      'linked.txt': 'changed_since',
      'made.txt': 'changed_since',
      'mode.txt': 'changed_since',
      'removed.txt': 'missing',
      'taken.txt': 'path_taken',
    });
    expect(read('elsewhere.txt')).toBe('after');
  });

  it('leaves out a file that the person changed between two changes of the run', async () => {
    person.writeProject('a.txt', 'before');
    const id = await ranWith(async (run) => {
      await run.write('a.txt', 'after');
      writeFileSync(at('a.txt'), 'mine');
      await run.write('a.txt', 'last');
    });
    expect(await filesOf(id)).toEqual([['a.txt', 'changed', 'changed_between']]);
  });

  it('leaves what another run, or the person, created while its command ran', async () => {
    const other = changingRun(person);
    const id = await ranWith(async (run) => {
      const go = join(person.home, 'go');
      const command = run.shell(`printf own > own.txt; until [ -e ${go} ]; do sleep 0.05; done`);
      await expect.poll(() => existsSync(at('own.txt'))).toBe(true);
      writeFileSync(at('mine.txt'), 'mine');
      await other.write('other.txt', 'other');
      other.end();
      writeFileSync(go, '');
      await command;
    });
    expect(await filesOf(id)).toEqual([
      ['mine.txt', 'created', 'appeared_during_command'],
      ['own.txt', 'created', 'undoable'],
    ]);
    expect(await undo(id)).toMatchObject({
      done: [{ path: 'own.txt' }],
      left_out: [{ path: 'mine.txt', reason: 'appeared_during_command' }],
    });
    expect([read('mine.txt'), read('other.txt'), existsSync(at('own.txt'))]).toEqual([
      'mine',
      'other',
      false,
    ]);
    expect(await undo(other.id)).toMatchObject({ done: [{ path: 'other.txt' }] });
  });

  it('removes what a command made in a folder that it named', async () => {
    const id = await ranWith((run) => run.shell('mkdir made && cd made && echo x > "$(echo a)"'));
    expect(await filesOf(id)).toEqual([['made/a', 'created', 'undoable']]);
  });

  it('restores files that a script changed, removed or only touched, within its limit', async () => {
    person.writeProject(
      'fmt.sh',
      'echo "a = 1" > a.js; chmod 700 b.js; rm c.js; touch d.js; echo > e.js',
    );
    for (const name of ['a', 'b', 'c', 'd']) person.writeProject(`${name}.js`, `${name}=1`);
    person.writeProject('e.js', 'x'.repeat(2_000));
    const id = await ranWith((run) => run.shell('sh fmt.sh'), { maxBytes: 1_000 });
    expect(await filesOf(id)).toEqual([
      ['a.js', 'changed', 'undoable'],
      ['b.js', 'changed', 'undoable'],
      ['c.js', 'deleted', 'undoable'],
      ['e.js', 'changed', 'not_kept'],
    ]);
    const mode = modeOf('d.js');
    const own = await capstan.runs.undo(id, { by: 'test', dryRun: true, onlyOwn: true });
    expect(own.steps).toEqual([]);
    expect(own.left_out).toContainEqual({ path: 'a.js', reason: 'changed_during_command' });
    const all = await undo(id);
    expect(all).toMatchObject({ status: 'done', failed: [] });
    expect(all.steps[0]).toEqual({ path: 'a.js', action: 'restore', perhaps_by_others: true });
    expect(['a.js', 'b.js', 'c.js'].map(read)).toEqual(['a=1', 'b=1', 'c=1']);
    expect(modeOf('b.js')).toBe(mode);
  });

  it('recreates the Git repository that a command removed, but nothing behind a link', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: person.project, encoding: 'utf8' });
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'one');
    git('gc', '-q');
    const id = await ranWith((run) => run.shell('rm -rf .git'));
    expect(existsSync(at('.git'))).toBe(false);
    mkdirSync(at('elsewhere'));
    symlinkSync('elsewhere', at('.git'));
    expect((await undo(id)).done).toEqual([]);
    expect(readdirSync(at('elsewhere'))).toEqual([]);
    rmSync(at('.git'));
    expect(await undo(id)).toMatchObject({ status: 'done', failed: [] });
    expect(git('log', '--format=%s')).toBe('one\n');
  });

  it('recreates a Git repository without a commit', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: person.project });
    git('init', '-q');
    const id = await ranWith((run) => run.shell('rm -rf .git'));
    expect(await undo(id)).toMatchObject({ status: 'done', failed: [], gaps: [] });
    expect(`${git('rev-parse', '--git-dir')}`).toBe('.git\n');
  });

  it('recreates ignored files of a folder that a command removed', async () => {
    person.writeProject('.gitignore', 'data/\n*.log\n');
    for (const path of ['data/a', 'data/b/c', 'pkg/x', 'pkg/node_modules/y/z', 'one.log'])
      person.writeProject(path, path);
    const id = await ranWith((run) => run.shell('rm -rf data pkg *.log'));
    const { complete, files } = await capstan.runs.diff(id);
    expect(complete).toBe(true);
    expect(files.map(({ path, undoable }) => [path, undoable])).toEqual(
      ['data/a', 'data/b/c', 'one.log', 'pkg/node_modules/y/z', 'pkg/x'].map((path) => [
        path,
        true,
      ]),
    );
    await undo(id);
    expect([read('data/b/c'), read('pkg/node_modules/y/z')]).toEqual([
      'data/b/c',
      'pkg/node_modules/y/z',
    ]);
  });

  it('restores ignored files that match a pattern with a group, which only its program expands', async () => {
    person.writeProject('.gitignore', '*.log\n');
    person.writeProject('one.log', 'one');
    const id = await ranWith((run) => run.shell("f=one; echo 2 > $f.log; echo '*@(e|f).log'"));
    await undo(id);
    expect(read('one.log')).toBe('one');
  });

  it.each([
    ['ls data', 'ignored_files'],
    ['rm -rf d*', 'ignored_files'],
    ['rm -f data/*.csv', 'ignored_files'],
    [`ls ${'a'.repeat(300)}*`, 'pattern_limit'],
    ['ls src', undefined],
    ['ls *.md', undefined],
  ])(
    'is incomplete after a command that named files that were not compared: %s',
    async (command, reason) => {
      person.writeProject('.gitignore', 'data/\n');
      person.writeProject('data/a.csv', 'a');
      person.writeProject('src/b', 'b');
      const id = await ranWith((run) => run.shell(`${command}; true`));
      const { complete, gaps } = await capstan.runs.diff(id);
      expect((await capstan.runs.undo(id, { by: 'test', dryRun: true })).gaps).toEqual(gaps);
      expect({ complete, reason: gaps[0]?.reason }).toEqual({
        complete: reason === undefined,
        reason,
      });
    },
  );

  it('refuses a name of a surface that is reserved, and records one without secrets', async () => {
    const secret = 'sk-0123456789abcdef0123456789abcdef';
    const id = await ranWith((run) => run.write('a.txt', 'after'));
    await expect(capstan.runs.undo(id, { by: 'nobody' })).rejects.toMatchObject({ code: 'USAGE' });
    await capstan.close();
    const env = { ...person.environment, OPENAI_API_KEY: secret };
    capstan = await openCapstan({ env, cwd: person.project });
    expect(await capstan.runs.undo(id, { by: secret })).toMatchObject({ status: 'done' });
    const db = openDatabase(join(person.home, 'state/capstan.db'));
    expect(JSON.stringify(db.prepare('SELECT * FROM undos').all())).not.toContain(secret);
    expect(JSON.stringify(db.prepare('SELECT * FROM audit').all())).not.toContain(secret);
    db.close();
  });

  it('keeps no more than its limit, however often it is repeated', async () => {
    await capstan.close();
    const env = { ...person.environment, CAPSTAN_UNDO_MB: '1' };
    capstan = await openCapstan({ env, cwd: person.project });
    const id = await ranWith((run) => run.write('a.txt', 'after'));
    const kept = join(person.home, 'state/runs', id, 'before');
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, 'f'.repeat(64)), Buffer.alloc(2 * 1024 * 1024));
    expect((await undo(id)).left_out).toEqual([{ path: 'a.txt', reason: 'over_limit' }]);
  });

  it('refuses a folder that became a link', async () => {
    person.writeProject('sub/a.txt', 'before');
    const id = await ranWith((run) => run.write('sub/a.txt', 'after'));
    renameSync(at('sub'), at('real'));
    symlinkSync('real', at('sub'));
    const result = await undo(id);
    expect(result).toMatchObject({ status: 'incomplete', done: [] });
    expect(read('real/a.txt')).toBe('after');
  });

  it('restores binary content and modes', async () => {
    const bytes = Buffer.from([0, 255, 1, 254]);
    writeFileSync(at('run.bin'), bytes, { mode: 0o755 });
    person.writeProject('tool.sh', '#!/bin/sh\n');
    chmodSync(at('tool.sh'), 0o700);
    const id = await ranWith(async (run) => {
      await run.shell('rm run.bin');
      await run.shell('chmod 644 tool.sh');
    });
    expect(await filesOf(id)).toEqual([
      ['run.bin', 'deleted', 'undoable'],
      ['tool.sh', 'changed', 'undoable'],
    ]);
    await undo(id);
    expect(readFileSync(at('run.bin')).equals(bytes)).toBe(true);
    expect([modeOf('run.bin'), modeOf('tool.sh')]).toEqual([0o755, 0o700]);
    await undo(id, true);
    expect([existsSync(at('run.bin')), modeOf('tool.sh')]).toEqual([false, 0o644]);
  });

  it('leaves out a file that is too large to be kept itself', async () => {
    const id = await ranWith((run) => run.shell('head -c 3000 /dev/zero > large; echo s > small'));
    await capstan.close();
    const env = { ...person.environment, CAPSTAN_UNDO_MB: '0' };
    capstan = await openCapstan({ env, cwd: person.project });
    expect((await undo(id)).left_out).toEqual([
      { path: 'large', reason: 'over_limit' },
      { path: 'small', reason: 'over_limit' },
    ]);
    expect(existsSync(at('large'))).toBe(true);
  });

  it('lists what did not fit into the limit', async () => {
    person.writeProject('large.txt', 'x'.repeat(2_000));
    person.writeProject('small.txt', 'small');
    const id = await ranWith(
      async (run) => {
        await run.write('large.txt', 'after');
        await run.write('small.txt', 'after');
      },
      { maxBytes: 1_000 },
    );
    expect(await filesOf(id)).toEqual([
      ['large.txt', 'changed', 'over_limit'],
      ['small.txt', 'changed', 'undoable'],
    ]);
    expect(await undo(id)).toMatchObject({
      done: [{ path: 'small.txt' }],
      left_out: [{ path: 'large.txt', reason: 'over_limit' }],
    });
  });

  it('frees the space of named files that a command did not change', async () => {
    for (const name of ['a', 'b', 'c']) person.writeProject(name, name.repeat(600));
    const id = await ranWith(
      async (run) => {
        await run.shell('cat a > /dev/null');
        await run.shell('cat b > /dev/null');
        await run.write('c', 'after');
      },
      { maxBytes: 1_000 },
    );
    expect(await filesOf(id)).toEqual([['c', 'changed', 'undoable']]);
    expect(readdirSync(join(person.home, 'state/runs', id, 'before'))).toHaveLength(1);
  });

  it('reverts what concurrent calls did', async () => {
    for (const name of ['a', 'b', 'c']) person.writeProject(name, name);
    const id = await ranWith((run) =>
      Promise.all([
        run.shell('sleep 0.3; echo 1 > a'),
        run.shell('echo 2 > b; sleep 0.3; echo 3 >> b'),
        run.write('c', 'changed'),
        run.write('new', 'new'),
      ]),
    );
    expect(await filesOf(id)).toEqual(
      [
        ['a', 'changed'],
        ['b', 'changed'],
        ['c', 'changed'],
        ['new', 'created'],
      ].map((row) => [...row, 'undoable']),
    );
    await undo(id);
    expect([read('a'), read('b'), read('c'), existsSync(at('new'))]).toEqual([
      'a',
      'b',
      'c',
      false,
    ]);
  });

  it('asks with the plan, and does nothing if the answer is no', async () => {
    person.writeProject('a.txt', 'before');
    const id = await ranWith((run) => run.write('a.txt', 'after'));
    const asked: unknown[] = [];
    const result = await capstan.runs.undo(id, {
      by: 'test',
      confirm: (plan) => {
        asked.push(plan.steps);
        return false;
      },
    });
    expect(result.status).toBe('declined');
    expect(asked).toEqual([[{ path: 'a.txt', action: 'restore' }]]);
    expect(read('a.txt')).toBe('after');
  });

  it('lists the files of tools and of commands among the artifacts of the run, not those that it deleted', async () => {
    person.writeProject('old.txt', 'old');
    const id = await ranWith(async (run) => {
      await run.write('a.txt', 'a');
      await run.shell('echo longer > a.txt; echo x > made.txt; rm old.txt');
    });
    const { document } = await capstan.runs.get(id);
    expect(document.artifacts).toMatchObject([
      { path: 'a.txt', bytes: 7, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { path: 'made.txt', bytes: 2 },
    ]);
  });

  it('takes undone files out of the artifacts of the run, until the undo is undone', async () => {
    const id = await ranWith(async (run) => {
      await run.write('a.txt', 'a');
      await run.shell('echo x > made.txt');
    });
    const artifacts = async () =>
      (await capstan.runs.get(id)).document.artifacts.map(({ path }) => path);
    await undo(id);
    expect(await artifacts()).toEqual([]);
    await undo(id, true);
    expect(await artifacts()).toEqual(['a.txt', 'made.txt']);
  });

  it('lists the newest 1,000 artifacts of the run, and says how many it leaves out', async () => {
    const id = await ranWith(async (run) => {
      await run.shell('mkdir many; cd many; touch $(seq 1005)');
      await run.write('z.txt', 'new');
    });
    const { document } = await capstan.runs.get(id);
    expect(document.artifacts).toHaveLength(1_000);
    expect(document.artifacts.at(-1)?.path).toBe('z.txt');
    expect(document.artifacts_left_out).toBe(6);
  });

  it('is refused while the run is running, and for a short id', async () => {
    const run = changingRun(person);
    await run.write('a.txt', 'new');
    await expect(undo(run.id)).rejects.toThrow(`Run ${run.id} is still running.`);
    await expect(undo(run.id.slice(-4))).rejects.toMatchObject({ code: 'USAGE' });
    run.end();
  });

  it('is journaled and audited, and stored for its owner only', async () => {
    person.writeProject('a.txt', 'before');
    const id = await ranWith((run) => run.write('a.txt', 'after'));
    await undo(id);
    const db = openDatabase(join(person.home, 'state/capstan.db'));
    expect(
      db.prepare('SELECT action, done_by, ended_at IS NOT NULL AS ended FROM undos').all(),
    ).toEqual([{ action: 'undo', done_by: 'person:test', ended: 1 }]);
    expect(
      db.prepare("SELECT actor, action FROM audit WHERE action LIKE 'run.und%' ORDER BY seq").all(),
    ).toEqual([
      { actor: 'person:test', action: 'run.undo_started' },
      { actor: 'person:test', action: 'run.undone' },
    ]);
    db.close();
    const folder = join(person.home, 'state/runs', id, 'before');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder))
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('keeps files of folders that are removed, and of patterns', async () => {
    mkdirSync(at('tree/deep'), { recursive: true });
    person.writeProject('tree/deep/a.txt', 'a');
    person.writeProject('x1.md', 'one');
    person.writeProject('x2.md', 'two');
    const id = await ranWith(async (run) => {
      await run.shell('rm -r tree');
      await run.shell('sed -i s/o/0/ *.md');
      await run.tool('python_exec', {
        access: 'write',
        code: "open('x1.md', 'a').write('more')",
      });
    });
    await undo(id);
    expect([read('tree/deep/a.txt'), read('x1.md'), read('x2.md')]).toEqual(['a', 'one', 'two']);
  });
});
