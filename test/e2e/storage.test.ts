import { spawnSync } from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asOnEveryMachine, createSandbox, launcher, type Sandbox } from './capstan.ts';

/** Whether this user may mount file systems in a namespace. With `CAPSTAN_NO_SKIPS`, the tests run, and fail, anyway. */
const hasMounts =
  process.env['CAPSTAN_NO_SKIPS'] === '1' || spawnSync('unshare', ['-rm', 'true']).status === 0;

let sandbox: Sandbox;
let folder: string;
let database: string;
beforeEach(() => {
  sandbox = createSandbox({ isFirstStart: true });
  folder = join(sandbox.home, 'capstan');
  database = join(folder, 'state/capstan.db');
  writeFileSync(join(sandbox.workspace, 'notes.md'), 'one\ntwo\n');
});
afterEach(() => sandbox.remove());

const TASK = ['run', 'Count the lines of notes.md'];

/** Mounts, then the command, in its own namespaces. `$D` is the folder. */
const mounts = {
  readOnly: 'mount --bind "$D" "$D" && mount -o remount,bind,ro "$D"',
  /** `$FREE` KiB are left. */
  full: `cp -a "$D" "$D.kept" && mount -t tmpfs -o size=24m tmpfs "$D" && cp -a "$D.kept/." "$D" && rm -r "$D.kept"
    dd if=/dev/zero of="$D/fill" bs=1024 2>/dev/null; truncate -s "-\${FREE}K" "$D/fill"`,
  /** Root in the namespace is nobody to a file of a user who is not mapped. */
  foreign: 'true',
};

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command in its own process. */
const within = (mount: keyof typeof mounts, args: readonly string[], options?: MountOptions) =>
  nodeWithin(mount, [launcher, ...asOnEveryMachine(args)], options);

/** Commands one after another in one process. */
const allWithin = (mount: keyof typeof mounts, lines: readonly (readonly string[])[]): Ended[] =>
  JSON.parse(nodeWithin(mount, [commandLines, JSON.stringify(lines)]).stdout);

const commandLines = join(import.meta.dirname, 'command-lines.cjs');

interface MountOptions {
  readonly at?: string;
  readonly freeKib?: number;
}

function nodeWithin(
  mount: keyof typeof mounts,
  args: readonly string[],
  { at = folder, freeKib = 0 }: MountOptions = {},
): Ended {
  const words = [process.execPath, ...args];
  const script = `${mounts[mount]}\nexec "$@"`;
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', script, 'sh', ...words],
    {
      cwd: sandbox.workspace,
      encoding: 'utf8',
      timeout: 60_000,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: sandbox.home,
        CAPSTAN_HOME: folder,
        D: at,
        FREE: String(freeKib),
      },
    },
  );
  return { code: status, stdout, stderr };
}

const INTENT = '{"capsule":"file-clerk","tool":"file_io","args":{"operation":"list","path":"."}}';

const reading: readonly (readonly string[])[] = [
  ['runs', 'list'],
  ['runs', 'show', 'last'],
  ['runs', 'diff', 'last'],
  ['runs', 'follow', 'last'],
  ['runs', 'logs', 'last'],
  ['approvals', 'list', '--all'],
  ['approvals', 'remembered'],
  ['cost'],
  ['audit', 'verify'],
  ['audit', 'export'],
  ['capsules', 'list'],
  ['capsules', 'inspect', 'file-clerk'],
  ['trust', 'show'],
  ['policy', 'explain', INTENT],
];

const documentOf = ({ stdout }: Pick<Ended, 'stdout'>) => JSON.parse(stdout);

describe.skipIf(!hasMounts)("a state folder that can't be written", () => {
  it.each(['readOnly', 'full'] as const)(
    "is read by every reading command, and a run says why it can't start (%s)",
    async (mount) => {
      expect((await sandbox.run(TASK)).exitCode).toBe(0);
      for (const [index, ended] of allWithin(mount, reading).entries()) {
        expect({ args: reading[index], ...ended }).toMatchObject({ code: 0 });
        expect(ended.stdout).not.toBe('');
      }
      expect(within(mount, ['doctor']).stdout).toMatch(
        /fail {2}state folder.*\n(.*\n)*ok .*database {2}/,
      );
      const { code, ...ended } = within(mount, [...TASK, '--json']);
      const path = mount === 'full' ? database : join(folder, 'state');
      const { run_id, status, error, next } = documentOf(ended);
      expect({ code, run_id, status }).toEqual({
        code: mount === 'full' ? 1 : 2,
        run_id: null,
        status: 'failed',
      });
      expect(error.code).toBe(mount === 'full' ? 'DATABASE_FAILED' : 'PLACE_UNUSABLE');
      expect(error.message).toContain(path);
      expect(error.message).toMatch(mount === 'full' ? /its disk is full/ : /read-only/);
      expect(next).toMatchObject([{ action: 'run_doctor' }]);
    },
  );

  it('ends the following of a run whose process is dead', async () => {
    await sandbox.run(TASK);
    const db = new Database(database);
    db.exec("UPDATE runs SET status = 'running', lease_until = NULL, owner = '1:1:b:n'");
    db.exec('DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)');
    db.close();
    const { code, stdout } = within('readOnly', ['runs', 'follow', 'last', '--json']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/run\.started/),
    });
  });

  it('keeps the run during which the disk filled up, and names how to resume it', async () => {
    expect((await sandbox.run(TASK)).exitCode).toBe(0);
    let struck = 0;
    for (const freeKib of [40, 80, 120, 160]) {
      const { code, ...ended } = within('full', [...TASK, '--json'], { freeKib });
      const { run_id, status, error, next } = documentOf(ended);
      if (status === 'completed' || run_id === null) continue;
      // Where its last rows still fit, it is parked at once, else by the next command.
      expect({ freeKib, status, code }).toEqual({
        freeKib,
        status,
        code: status === 'parked' ? 3 : 1,
      });
      expect(error).toMatchObject({ code: 'DATABASE_FAILED' });
      expect(error.message).toContain(`${database} can't be used now: its disk is full`);
      expect(next).toMatchObject([{ action: 'resume', id: run_id }]);
      struck += 1;
    }
    expect(struck).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasMounts)('a folder that a run does not need to write', () => {
  it.each(['config', 'cache'])('may be read-only: %s', async (name) => {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    for (let start = 0; start < 2; start++) {
      const { code, stderr } = within('readOnly', TASK, { at: join(folder, name) });
      expect({ code, stderr }).toMatchObject({ code: 0 });
    }
    expect(readdirSync(join(folder, name))).toEqual([]);
  });
});

describe("a database that can't be used", () => {
  const faults: readonly [string, () => void, string, number, RegExp][] = [
    [
      'no database',
      () => writeFileSync(database, 'x'.repeat(8192)),
      'UNREADABLE',
      2,
      /not a SQLite database/,
    ],
    ['emptied', () => truncateSync(database, 0), 'UNREADABLE', 2, /it is empty.*To restore it/s],
    [
      'a link',
      () => {
        spawnSync('mv', [database, join(folder, 'other.db')]);
        symlinkSync(join(folder, 'other.db'), database);
      },
      'UNREADABLE',
      2,
      /symbolic link/,
    ],
    [
      'cut off',
      () => truncateSync(database, statSync(database).size >> 1),
      'UNREADABLE',
      2,
      /damaged/,
    ],
  ];
  it.each(faults)(
    'is reported with its path and a remedy: %s',
    async (_what, make, code, exitCode, problem) => {
      await sandbox.run(TASK);
      make();
      for (const args of [TASK, ['resume'], ['runs', 'list'], ['approvals', 'list']]) {
        const ended = await sandbox.run([...args, '--json']);
        const { error, next, ...document } = documentOf(ended);
        expect({ args, ...ended }).toMatchObject({ exitCode });
        expect(error.code).toBe(`DATABASE_${code}`);
        expect(error.message).toContain(`${database} can't be used`);
        expect(error.message).toMatch(problem);
        expect(next).toMatchObject([{ action: 'run_doctor', command: 'capstan doctor' }]);
        if (args[0] === 'run' || args[0] === 'resume') expect(document.run_id).toBeNull();
      }
      const { exitCode: doctor, stdout } = await sandbox.run(['doctor']);
      expect({ doctor, stdout }).toMatchObject({
        doctor: 1,
        stdout: expect.stringMatching(problem),
      });
    },
  );

  it('is reported while another process locks it', async () => {
    await sandbox.run(TASK);
    const other = new Database(database);
    other.exec('BEGIN IMMEDIATE');
    const [run, list] = await Promise.all([
      sandbox.run([...TASK, '--json']),
      sandbox.run(['runs', 'list']),
    ]);
    other.exec('ROLLBACK');
    other.close();
    expect(list.exitCode).toBe(0);
    const { run_id, error, next } = documentOf(run);
    expect({ code: run.exitCode, run_id, next }).toMatchObject({
      code: 1,
      run_id: null,
      next: [{ action: 'run_doctor' }],
    });
    expect(error.message).toContain(
      `${database} can't be used now: another process keeps it locked`,
    );
  });

  it.skipIf(!hasMounts || process.getuid?.() !== 0)(
    'is reported if it belongs to another user',
    async () => {
      await sandbox.run(TASK);
      spawnSync('chown', ['12345', database]);
      const { code, ...ended } = within('foreign', [...TASK, '--json']);
      expect({ code, ...documentOf(ended) }).toMatchObject({
        code: 2,
        run_id: null,
        error: {
          code: 'DATABASE_UNREADABLE',
          message: expect.stringMatching(/you have no permission to read it\. Give/),
        },
      });
    },
  );
});

it.skipIf(!hasMounts || process.getuid?.() !== 0)(
  'a search names the folder that this user may not read, and a write into it fails without a crash',
  () => {
    const locked = join(sandbox.workspace, 'locked');
    mkdirSync(locked, { mode: 0o700 });
    writeFileSync(join(locked, 'in.txt'), 'one\n');
    chownSync(locked, 12_345, 12_345);
    const search = within('foreign', ['run', 'Search the files for "one"']);
    expect(search.stdout).toContain('[not searched: locked (not readable)]');
    const write = within('foreign', ['run', '--json', 'Write "x" to locked/new.txt']);
    const { message } = documentOf(write).subtasks[0].error;
    expect(message).toMatch(/"locked\/new\.txt" can't be examined: this user has no permission/);
  },
);
