import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failedWith } from '../contract/errors.ts';
import { type Db, openDatabase, openForReading, openWritableOrReadOnly } from './open-database.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-db-faults-'));
  path = join(dir, 'state/capstan.db');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** What a process does with the database before it is killed. */
const WRITES = `
  const db = new (require('better-sqlite3'))(process.argv[1]);
  db.exec("CREATE TABLE IF NOT EXISTS lately (x); INSERT INTO lately VALUES (1)");`;

/** A process that writes a row and is killed with the database open. */
function killWriter(): void {
  const program = `${WRITES} process.kill(process.pid, 'SIGKILL')`;
  try {
    execFileSync(process.execPath, ['-e', program, path], { cwd: import.meta.dirname });
  } catch {}
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
}

/** A process that writes a row and keeps the database open. Returns a function that kills it. */
async function startWriter(): Promise<() => Promise<unknown>> {
  const program = `${WRITES} process.stdout.write('open'); setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, ['-e', program, path], { cwd: import.meta.dirname });
  await once(child.stdout, 'data');
  return () => {
    child.kill('SIGKILL');
    return once(child, 'close');
  };
}

/** Fills a table. Returns the numbers of its leaf pages. */
function fill(): number[] {
  const db = openDatabase(path);
  db.exec('CREATE TABLE filled (x TEXT)');
  const insert = db.prepare('INSERT INTO filled VALUES (hex(randomblob(400)))');
  db.transaction(() => {
    for (let row = 0; row < 200; row++) insert.run();
  })();
  const pages = db
    .prepare<[], number>("SELECT pageno FROM dbstat WHERE name = 'filled' AND pagetype = 'leaf'")
    .pluck()
    .all();
  db.close();
  expect(pages.length).toBeGreaterThan(20);
  return pages;
}

function damage(page: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(512, 0xa5), 0, 512, (page - 1) * 4096);
  closeSync(file);
}

function failureOf(act: () => Db): unknown {
  try {
    act().close();
  } catch (error) {
    return error;
  }
  return undefined;
}

const recordRun = () => {
  mkdirSync(join(dir, 'state/runs'), { recursive: true });
  writeFileSync(join(dir, 'state/runs/0199.jsonl'), '{}\n');
};

describe('a database whose last process was killed', () => {
  it('is refused at every start if any of its leaf pages is damaged, and is not written to', () => {
    const pages = fill();
    const intact = readFileSync(path);
    for (const page of [pages[0], pages[7], pages[15], pages.at(-1)]) {
      writeFileSync(path, intact);
      killWriter();
      damage(page ?? 0);
      const before = [readFileSync(path), readFileSync(`${path}-wal`)];
      for (let start = 0; start < 2; start++) {
        expect(failureOf(() => openDatabase(path))).toMatchObject({
          code: 'DATABASE_UNREADABLE',
          details: { path, problem: expect.stringMatching(/damaged/) },
          next: [{ action: 'run_doctor' }],
        });
        expect(failureOf(() => openWritableOrReadOnly(path).db)).toMatchObject({
          code: 'DATABASE_UNREADABLE',
        });
      }
      expect([readFileSync(path), readFileSync(`${path}-wal`)]).toEqual(before);
      rmSync(`${path}-wal`);
    }
  });

  it('opens with its last rows if nothing is damaged', () => {
    fill();
    killWriter();
    const db = openDatabase(path);
    expect(db.prepare('SELECT x FROM lately').pluck().all()).toEqual([1]);
    db.close();
  });

  it.skipIf(process.platform !== 'linux')(
    'is not checked while another process has it open',
    async () => {
      const [page = 0] = fill();
      killWriter();
      const end = await startWriter();
      damage(page);
      expect(failureOf(() => openDatabase(path))).toBeUndefined();
      await end();
      expect(failureOf(() => openDatabase(path))).toMatchObject({ code: 'DATABASE_UNREADABLE' });
    },
  );

  it('is not checked if it is larger than 1 GiB', () => {
    const [page = 0] = fill();
    killWriter();
    damage(page);
    truncateSync(path, 1024 ** 3 + 4096);
    expect(failureOf(() => openDatabase(path))).toBeUndefined();
  });
});

describe('a database that lost its content', () => {
  it.each([
    ['emptied', () => truncateSync(path, 0)],
    [
      'replaced by an empty database',
      () => {
        rmSync(path);
        const db = new Database(path);
        db.pragma('journal_mode = WAL');
        db.close();
      },
    ],
    ['replaced by a text', () => writeFileSync(path, 'x'.repeat(8192))],
    [
      'replaced by the database of another program',
      () => {
        rmSync(path);
        const db = new Database(path);
        db.exec('CREATE TABLE theirs (x)');
        db.close();
      },
    ],
  ])(
    'is refused beside the logs of runs if it was %s, and says how to restore it',
    (_what, lose) => {
      openDatabase(path).close();
      recordRun();
      copyFileSync(path, `${path}.v9.backup`);
      copyFileSync(path, `${path}.v10.backup`);
      lose();
      const before = readFileSync(path);
      for (const open of [openDatabase, openForReading]) {
        const error = failureOf(() => open(path));
        expect(error).toMatchObject({ code: 'DATABASE_UNREADABLE', details: { path } });
        expect(String(error)).toContain(`copy ${path}.v10.backup`);
        expect(String(error)).toContain(join(dir, 'state/runs'));
      }
      expect(readFileSync(path)).toEqual(before);
    },
  );

  it('is refused if its WAL file has changes, which stay in it', () => {
    openDatabase(path).close();
    killWriter();
    const changes = readFileSync(`${path}-wal`);
    truncateSync(path, 0);
    expect(failureOf(() => openDatabase(path))).toMatchObject({ code: 'DATABASE_UNREADABLE' });
    rmSync(path);
    expect(failureOf(() => openDatabase(path))).toMatchObject({ code: 'DATABASE_UNREADABLE' });
    expect(readFileSync(`${path}-wal`)).toEqual(changes);
  });

  it('is made again if the whole file was moved away', () => {
    openDatabase(path).close();
    recordRun();
    renameSync(path, join(dir, 'kept.db'));
    expect(failureOf(() => openDatabase(path))).toBeUndefined();
    expect(failureOf(() => openDatabase(path))).toBeUndefined();
  });

  it('is created again if no run was ever recorded, since the first start was killed', () => {
    mkdirSync(join(dir, 'state'));
    writeFileSync(path, '');
    expect(failureOf(() => openDatabase(path))).toBeUndefined();
  });
});

describe('a path that is not a regular file', () => {
  it.each(['', '-wal', '-shm', '-journal'])('is refused if capstan.db%s is a link', (suffix) => {
    openDatabase(path).close();
    const elsewhere = join(dir, 'elsewhere');
    copyFileSync(path, elsewhere);
    rmSync(`${path}${suffix}`, { force: true });
    symlinkSync(elsewhere, `${path}${suffix}`);
    const before = readFileSync(elsewhere);
    for (const open of [openDatabase, openForReading])
      expect(failureOf(() => open(path))).toMatchObject({
        code: 'DATABASE_UNREADABLE',
        details: { path: `${path}${suffix}`, problem: 'it is a symbolic link' },
      });
    expect(readFileSync(elsewhere)).toEqual(before);
  });

  it('is refused if it is a dangling link: its target is not created', () => {
    mkdirSync(join(dir, 'state'));
    symlinkSync(join(dir, 'elsewhere'), path);
    expect(failureOf(() => openDatabase(path))).toMatchObject({ code: 'DATABASE_UNREADABLE' });
    expect(statSync(join(dir, 'elsewhere'), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('is refused if it is a folder or a pipe', () => {
    mkdirSync(path, { recursive: true });
    expect(failureOf(() => openDatabase(path))).toMatchObject({ code: 'DATABASE_UNREADABLE' });
    rmSync(path, { recursive: true });
    execFileSync('mkfifo', [path]);
    expect(failureOf(() => openDatabase(path))).toMatchObject({ code: 'DATABASE_UNREADABLE' });
  });

  it('is used if the folder is a link that the user made', () => {
    mkdirSync(join(dir, 'real'));
    symlinkSync(join(dir, 'real'), join(dir, 'state'));
    expect(failureOf(() => openDatabase(path))).toBeUndefined();
  });
});

it('is DATABASE_FAILED while another process keeps the database locked', () => {
  openDatabase(path).close();
  const other = new Database(path);
  other.pragma('locking_mode = EXCLUSIVE');
  other.exec('CREATE TABLE theirs (x)');
  const error = failureOf(() => openWritableOrReadOnly(path).db);
  other.close();
  expect(error).toMatchObject({ code: 'DATABASE_FAILED', next: [{ action: 'run_doctor' }] });
  expect(failedWith(error, 'DATABASE_FAILED') && error.message).toMatch(
    /capstan\.db can't be used now: another process keeps it locked .*SQLITE_BUSY\)\. Wait/,
  );
});
