import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import { type Db, openDatabase } from '../../db/open-database.ts';
import { trustTierOf } from '../../policy/limits/trust.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { createAudit, readAudit } from '../audit/audit.ts';
import { createTrustStore, type TrustEvent } from './trust-store.ts';

let folder: string;
let db: Db;
beforeEach(() => {
  ({ dir: folder, db } = temporaryDatabase());
});

const storeOf = (on: Db) =>
  createTrustStore(
    on,
    createAudit(on, () => new Date(), noSecrets),
    () => new Date(),
  );
function note(event: TrustEvent, times: number, tier: 1 | 2 = 1, on = db) {
  const store = storeOf(on);
  const about = { capsuleId: 'clerk', tier, event, intentId: 'i', runId: 'r' };
  on.transaction(() => {
    for (let at = 0; at < times; at++) store.note(about);
  }).immediate();
}

describe('the trust store', () => {
  it('treats an unknown capsule as supervised', () => {
    expect(storeOf(db).levelsOf('clerk')).toEqual({ 1: 'supervised', 2: 'supervised' });
    expect(storeOf(db).list()).toEqual([]);
  });

  it('counts by capsule and tier, and keeps it over a restart', () => {
    note('approved_success', 20);
    note('approved_success', 3, 2);
    db.close();
    db = openDatabase(join(folder, 'capstan.db'));
    expect(storeOf(db).levelsOf('clerk')).toEqual({ 1: 'sampling', 2: 'supervised' });
    expect(storeOf(db).levelsOf('other')).toEqual({ 1: 'supervised', 2: 'supervised' });
    expect(storeOf(db).list('clerk')).toMatchObject([
      { tier: 1, level: 'sampling', approved: 20 },
      { tier: 2, level: 'supervised', approved: 3 },
    ]);
  });

  it('lowers the level at a denial and at three failures', () => {
    note('approved_success', 50);
    note('failure', 3);
    expect(storeOf(db).levelsOf('clerk')[1]).toBe('sampling');
    note('denial', 1);
    expect(storeOf(db).levelsOf('clerk')[1]).toBe('supervised');
  });

  it('writes nothing if a success without a question changes nothing', () => {
    note('success', 5);
    expect(storeOf(db).list()).toEqual([]);
  });

  it('records every change of level in the audit', () => {
    note('approved_success', 20);
    note('denial', 1);
    db.transaction(() => storeOf(db).reset('clerk', { actor: 'person:cli' })).immediate();
    const all = [...readAudit(db)];
    expect(all.filter(({ action }) => action === 'trust.counted')).toHaveLength(19);
    const changes = all.filter(({ action }) => action === 'trust.changed');
    const lines = changes.map(({ action, actor, detail }) => [action, actor, detail['to']]);
    expect(lines).toEqual([
      ['trust.changed', 'policy', 'sampling'],
      ['trust.changed', 'policy', 'supervised'],
      ['trust.changed', 'person:cli', 'supervised'],
    ]);
  });

  it('forgets a capsule in one tier or in both', () => {
    note('approved_success', 20);
    note('approved_success', 20, 2);
    const reset = (tier?: 1 | 2) =>
      storeOf(db).reset('clerk', { actor: 'person:cli', ...(tier ? { tier } : {}) });
    expect(reset(2)).toBe(1);
    expect(storeOf(db).levelsOf('clerk')).toEqual({ 1: 'sampling', 2: 'supervised' });
    expect(reset()).toBe(1);
    expect(reset()).toBe(0);
    expect(storeOf(db).levelsOf('clerk')[1]).toBe('supervised');
  });

  it('counts correctly for two processes', () => {
    const other = openDatabase(join(folder, 'capstan.db'));
    note('approved_success', 10);
    note('approved_success', 10, 1, other);
    other.close();
    expect(storeOf(db).levelsOf('clerk')[1]).toBe('sampling');
  });

  it.each([
    [[0], undefined],
    [[1], 1],
    [[2, 3], 2],
    [[3], undefined],
  ])('counts an intent of the tiers %j for tier %s', (tiers, expected) => {
    expect(trustTierOf(tiers)).toBe(expected);
  });
});
