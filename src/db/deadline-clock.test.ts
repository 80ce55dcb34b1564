import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDeadlineClock } from './deadline-clock.ts';
import { type Db, openDatabase } from './open-database.ts';

let dir: string;
let db: Db;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-clock-'));
  db = openDatabase(join(dir, 'capstan.db'));
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T12:00:00Z');

/** A process: its wall clock and the uptime of its machine, as hours after the start. */
const processAt = (wallHours: number, upHours: number, bootId = 'boot-1') => {
  const machine = { bootId, uptimeMs: () => upHours * HOUR };
  const clock = createDeadlineClock(db, () => new Date(START + wallHours * HOUR), machine);
  return { hours: () => (clock.now().getTime() - START) / HOUR, keep: () => clock.keep() };
};

describe('the deadline clock', () => {
  it('is the wall clock as long as that only advances', () => {
    processAt(0, 100).keep();
    expect(processAt(2, 102).hours()).toBe(2);
    expect(processAt(5, 103).hours()).toBe(5);
  });

  it('advances with the time since the machine started if the wall clock was set back', () => {
    processAt(0, 100).keep();
    expect(processAt(-24, 103).hours()).toBe(3);
    processAt(-24, 103).keep();
    expect(processAt(-48, 104).hours()).toBe(4);
  });

  it('is never before the latest time in the database, also after a restart of the machine', () => {
    processAt(7, 100).keep();
    expect(processAt(-1, 0, 'boot-2').hours()).toBe(7);
    processAt(-1, 0, 'boot-2').keep();
    expect(processAt(-1, 2, 'boot-2').hours()).toBe(9);
  });

  it('is never before the last line of the audit', () => {
    db.prepare(
      "INSERT INTO audit (seq, at, actor, action, ref, detail, prev_hash, hash) VALUES (1, ?, 'a', 'b', 'c', '{}', '', '')",
    ).run(new Date(START + 6 * HOUR).toISOString());
    expect(processAt(1, 1).hours()).toBe(6);
  });
});
