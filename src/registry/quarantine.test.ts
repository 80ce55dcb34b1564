import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDatabase } from '../../test/setup/temporary-database.ts';
import { type Db, openDatabase } from '../db/open-database.ts';
import { noSecrets } from '../policy/secrets/redact.ts';
import {
  type AttemptEnding,
  assertNotQuarantined,
  createQuarantine,
  type Quarantine,
} from './quarantine.ts';

let db: Db;
let quarantine: Quarantine;
let told: unknown[];
beforeEach(() => {
  ({ db } = temporaryDatabase());
  open();
});

function open(): void {
  told = [];
  const audit = { append: (line: unknown) => void told.push(line) };
  quarantine = createQuarantine(db, audit, () => new Date('2026-01-01T00:00:00Z'), noSecrets);
}

const mine = { id: 'mine', origin: 'personal', dir: '/agents/mine', hash: 'a' } as const;
const crash: AttemptEnding = {
  isCompleted: false,
  code: 'CAPSULE_FELL_SILENT',
  wasHindered: false,
};
const success: AttemptEnding = { isCompleted: true, code: null, wasHindered: false };
const notes = (...endings: AttemptEnding[]) =>
  endings.map((ending) => quarantine.note(mine, ending, 'run-1'));

describe('a capsule is quarantined', () => {
  it('by three technical failures of its own in a row, even over a restart', () => {
    expect(notes(crash, crash)).toEqual([undefined, undefined]);
    const { name } = db;
    db.close();
    db = openDatabase(name);
    open();
    const reason = '3 technical failures in a row, the last one CAPSULE_FELL_SILENT';
    expect(notes(crash)).toEqual([reason]);
    expect(quarantine.find(mine)).toMatchObject({ reason, heldBy: 'policy' });
    expect([...quarantine.idsAmong([mine, { ...mine, id: 'other' }])]).toEqual(['mine']);
    expect(told).toEqual([
      {
        actor: 'policy',
        action: 'capsule.quarantined',
        runId: 'run-1',
        ref: 'mine',
        detail: { reason },
      },
    ]);
    expect(notes(crash)).toEqual([undefined]);
  });

  it.each([
    ['a success between', success, false],
    ['an honest failure between', { ...crash, code: 'TASK_FAILED' }, true],
    ['a failure of the provider between', { ...crash, code: 'PROVIDER_FAILED' }, true],
    ['a crash after a denial between', { ...crash, wasHindered: true }, true],
    ['a loop between', { ...crash, code: 'LOOP_ERRORS' }, true],
  ])('or not, after %s', (_, between, isHeld) => {
    notes(crash, crash, between);
    expect(quarantine.find(mine)).toBeUndefined();
    notes(crash);
    expect(quarantine.find(mine) !== undefined).toBe(isHeld);
  });

  it.each(['TASK_FAILED', 'PROVIDER_FAILED', 'INTENT_DENIED', 'CAPSULE_NOT_STARTED'])(
    'never by %s',
    (code) => {
      notes(...Array.from({ length: 10 }, () => ({ ...crash, code })));
      expect(quarantine.find(mine)).toBeUndefined();
    },
  );

  it('by failures of the same files only', () => {
    notes(crash, crash);
    expect(quarantine.note({ ...mine, hash: 'b' }, crash, 'run-1')).toBeUndefined();
    expect(quarantine.find(mine)).toBeUndefined();
  });

  it('and then the error names the command that restores it', () => {
    quarantine.hold(mine, { reason: 'it is odd', actor: 'person:cli' });
    let error: unknown;
    try {
      assertNotQuarantined(mine, quarantine);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      code: 'CAPSULE_QUARANTINED',
      next: [
        { action: 'test_capsule', id: 'mine' },
        { action: 'inspect_capsule', id: 'mine' },
        { action: 'restore_capsule', id: 'mine' },
      ],
    });
  });
});

describe('a quarantined capsule is restored', () => {
  it('by a change of the files that failed, but not one that a person quarantined', () => {
    const mended = { ...mine, hash: 'b' };
    notes(crash, crash, crash);
    expect(quarantine.find(mended)).toBeUndefined();
    expect([...quarantine.idsAmong([mended])]).toEqual([]);
    expect(quarantine.reasonBefore(mended)).toContain('3 technical failures');
    expect(quarantine.find(mine)).toBeDefined();
    quarantine.hold(mine, { reason: 'it is odd', actor: 'person:cli' });
    expect(quarantine.find(mended)?.reason).toBe('it is odd');
  });

  it('by hand, with its failures forgotten', () => {
    notes(crash, crash, crash);
    expect(quarantine.lift(mine, { because: 'mended', actor: 'person:cli' })).toBe(true);
    expect(quarantine.lift(mine, { because: 'mended', actor: 'person:cli' })).toBe(false);
    expect(told.at(-1)).toMatchObject({ action: 'capsule.restored', ref: 'mine' });
    expect(notes(crash, crash)).toEqual([undefined, undefined]);
  });

  it('after a healed test, unless a person put it there', () => {
    notes(crash, crash, crash);
    expect(quarantine.restoreHealed(mine, 'person:cli')).toBe(true);
    quarantine.hold(mine, { reason: 'not now', actor: 'person:cli' });
    expect(quarantine.restoreHealed(mine, 'person:cli')).toBe(false);
    expect(quarantine.find(mine)?.reason).toBe('not now');
  });
});
