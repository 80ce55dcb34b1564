import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Db, openDatabase } from '../open-database.ts';
import { waitForChange } from './wait-for-change.ts';
import { type ChangeWatch, watchChanges } from './watch-changes.ts';

let dir: string;
let own: Db;
let other: Db;
let changes: ChangeWatch;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-changes-'));
  own = openDatabase(join(dir, 'capstan.db'));
  other = openDatabase(join(dir, 'capstan.db'));
  changes = watchChanges(own);
});
afterEach(() => {
  changes.close();
  own.close();
  other.close();
  rmSync(dir, { recursive: true, force: true });
});

let count = 0;
function commit(db: Db) {
  count += 1;
  db.prepare("INSERT INTO written_files (path, sha256) VALUES (?, '')").run(String(count));
}

function countChanges() {
  let seen = 0;
  const stop = changes.listen((hasChanged) => {
    if (hasChanged) seen += 1;
  });
  return { seen: () => seen, stop };
}

describe('the watch for changes', () => {
  it('reads the same once until the database is looked at again', async () => {
    let reads = 0;
    const read = () => {
      reads += 1;
      return undefined;
    };
    const { seen } = countChanges();
    for (const name of ['a', 'a', 'b', 'a']) changes.readOnce(name, read);
    expect(reads).toBe(2);
    changes.notify();
    await expect.poll(seen).toBe(1);
    changes.readOnce('a', read);
    expect(reads).toBe(3);
  });

  it('reports each commit of another connection once, to every listener', async () => {
    const [one, two] = [countChanges(), countChanges()];
    commit(other);
    await expect.poll(one.seen).toBe(1);
    await sleep(60);
    expect([one.seen(), two.seen()]).toEqual([1, 1]);
    commit(other);
    await expect.poll(two.seen).toBe(2);
  });

  it('reports commits of its own connection only when it is notified of them', async () => {
    const { seen } = countChanges();
    commit(own);
    await sleep(60);
    expect(seen()).toBe(0);
    changes.notify();
    changes.notify();
    await expect.poll(seen).toBe(1);
  });

  it('reports a change that a listener makes while it is called', async () => {
    let seen = 0;
    changes.listen((hasChanged) => {
      if (!hasChanged) return;
      seen += 1;
      if (seen === 1) changes.notify();
    });
    changes.notify();
    await expect.poll(() => seen).toBe(2);
  });

  it('reports nothing to a listener that stopped, or after it was closed', async () => {
    const [one, two] = [countChanges(), countChanges()];
    one.stop();
    commit(other);
    await expect.poll(two.seen).toBe(1);
    changes.close();
    commit(other);
    changes.notify();
    await sleep(60);
    expect([one.seen(), two.seen()]).toEqual([0, 1]);
    expect(changes.closed.aborted).toBe(true);
  });

  it('reports a change again when a listener could not read the database', async () => {
    let calls = 0;
    own.pragma('busy_timeout = 0');
    other.exec('BEGIN IMMEDIATE');
    changes.listen((hasChanged) => {
      if (!hasChanged) return;
      calls += 1;
      if (calls === 1) own.exec('BEGIN IMMEDIATE');
    });
    changes.notify();
    await expect.poll(() => calls).toBe(2);
    other.exec('COMMIT');
  });
});

describe('a wait for a change', () => {
  it('does not miss a change between two waits', async () => {
    const waiter = waitForChange(changes, new AbortController().signal);
    changes.notify();
    await sleep(20);
    await waiter.next();
    const began = performance.now();
    setTimeout(() => commit(other), 30);
    await waiter.next();
    expect(performance.now() - began).toBeGreaterThan(25);
    waiter.stop();
  });

  it('ends after a second without a change, and immediately when its signal aborts', async () => {
    const controller = new AbortController();
    const waiter = waitForChange(changes, controller.signal);
    const began = performance.now();
    await waiter.next();
    expect(performance.now() - began).toBeGreaterThan(900);
    const waiting = waiter.next();
    controller.abort();
    await waiting;
    await waiter.next();
    waiter.stop();
  });
});
