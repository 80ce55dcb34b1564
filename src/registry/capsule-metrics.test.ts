import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDatabase } from '../../test/setup/temporary-database.ts';
import type { Db } from '../db/open-database.ts';
import { type CapsuleMetrics, createCapsuleMetrics, overlayVersion } from './capsule-metrics.ts';

let db: Db;
let metrics: CapsuleMetrics;
let nowMs: number;
beforeEach(() => {
  ({ db } = temporaryDatabase());
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  metrics = createCapsuleMetrics(db, () => new Date(nowMs++));
});

const mine = { id: 'mine', origin: 'personal', dir: '/agents/mine' } as const;
const overlayOf = (text: string) => ({ path: '/agents/mine/skill.md', text });
const use = (changes: Partial<Parameters<CapsuleMetrics['note']>[0]> = {}) =>
  metrics.note({
    capsule: { ...mine, overlay: overlayOf('first') },
    isCompleted: true,
    durationMs: 100,
    costMicroUsd: 5,
    ...changes,
  });

describe('metrics of a capsule', () => {
  it('are its uses, successes, times by nearest rank, and cost', () => {
    for (let n = 1; n <= 20; n++) use({ durationMs: n * 10, isCompleted: n > 5 });
    expect(metrics.of(mine)).toEqual({
      uses: 20,
      completed: 15,
      p50Ms: 100,
      p95Ms: 190,
      costMicroUsd: 100,
      firstUsedAt: '2026-01-01T00:00:00.000Z',
      lastUsedAt: '2026-01-01T00:00:00.019Z',
    });
  });

  it('are stored with the version of the overlay, and can restore that overlay', () => {
    use();
    use({ capsule: { ...mine, overlay: overlayOf('second') }, isCompleted: false });
    use({ capsule: { ...mine, overlay: overlayOf('second') } });
    const [second, first] = metrics.versionsOf(mine);
    expect(second).toMatchObject({ uses: 2, completed: 1 });
    expect(first).toMatchObject({ uses: 1, completed: 1 });
    const version = overlayVersion(overlayOf('second'));
    expect(second?.version).toBe(version);
    expect(metrics.overlayOf(mine, version.slice(0, 8))).toEqual({ version, text: 'second' });
    expect(metrics.overlayOf(mine, '')).toBeUndefined();
    expect(metrics.overlayOf(mine, '%')).toBeUndefined();
  });

  it('name its last 30 times, oldest first, for all versions of its overlay', () => {
    for (let n = 1; n <= 25; n++) use({ durationMs: n });
    const later = { capsule: { ...mine, overlay: overlayOf('second') } };
    for (let n = 26; n <= 35; n++) use({ ...later, durationMs: n });
    expect(metrics.lastMs(mine)).toEqual(Array.from({ length: 30 }, (_, index) => index + 6));
  });

  it("of projects' capsules with the same id stay apart", () => {
    const ofProject = (project: string) =>
      ({ id: 'helper', origin: 'project', dir: `/${project}/agents/helper` }) as const;
    use({ capsule: { ...ofProject('one'), overlay: undefined } });
    expect(metrics.of(ofProject('one'))?.uses).toBe(1);
    expect(metrics.of(ofProject('two'))).toBeUndefined();
  });

  it('keep the times of the last 1,000 uses and the last 100 versions, and every count', () => {
    const many = db.transaction((count: number, each: (n: number) => void) => {
      for (let n = 0; n < count; n++) each(n);
    });
    many(1_200, (n) => use({ durationMs: n < 1_000 ? 1 : 2 }));
    expect(metrics.lastMs(mine)).toEqual(Array.from({ length: 30 }, () => 2));
    const rows = () => db.prepare('SELECT count(*) FROM capsule_times').pluck().get();
    expect([rows(), metrics.of(mine)?.uses]).toEqual([1_000, 1_200]);
    many(105, (n) => use({ capsule: { ...mine, overlay: overlayOf(`version ${n}`) } }));
    expect(metrics.versionsOf(mine)).toHaveLength(100);
    expect(rows()).toBe(100);
  });

  it('are gone when they are to be forgotten', () => {
    use();
    metrics.forget(mine);
    expect(metrics.of(mine)).toBeUndefined();
    expect(metrics.versionsOf(mine)).toEqual([]);
  });
});
