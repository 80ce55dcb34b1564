import { describe, expect, it } from 'vitest';
import type { Capsule } from '../capsule-store.ts';
import type { Hit } from './index/search-index.ts';
import { decideRoute, successTerm } from './route.ts';

const measure = { embedder: 'e', take: 0.56, create: 0.43, lead: 0.12 };

const found = (id: string, origin: Capsule['origin'], score: number) => ({
  capsule: { id, origin, manifest: { task_kinds: [] } } as unknown as Capsule,
  hit: { owner: id, score } as unknown as Hit,
});
const shipped = found('shipped', 'shipped', 0.4);

describe('without a model, a capsule that did not ship gets a task only by its own score', () => {
  it.each([
    ['below take, it is not tried first', 'personal', 0.5, ['shipped']],
    ['below take, it is not tried after the shipped ones', 'personal', 0.3, ['shipped']],
    ['of the project, the same', 'project', 0.5, ['shipped']],
    ['at take, it is tried first', 'personal', 0.56, ['own', 'shipped']],
  ] as const)('%s', (_what, origin, score, expected) => {
    const ranked = [found('own', origin, score), shipped].toSorted(
      (a, b) => b.hit.score - a.hit.score,
    );
    const { candidates, capsuleId } = decideRoute(ranked, measure, { model: false });
    expect(candidates.map((one) => one.capsuleId)).toEqual(expected);
    expect(capsuleId).toBe(expected[0]);
  });

  it('gets none if no shipped one is near', () => {
    const { zone, capsuleId } = decideRoute([found('own', 'personal', 0.5)], measure, {
      model: false,
    });
    expect({ zone, capsuleId }).toEqual({ zone: 'create', capsuleId: undefined });
  });

  it('with a model, every near one is judged', () => {
    const { candidates } = decideRoute([found('own', 'personal', 0.5), shipped], measure, {
      model: true,
    });
    expect(candidates.map((one) => one.capsuleId)).toEqual(['own', 'shipped']);
  });
});

describe('recent attempts move the scores of a close call', () => {
  const near = [found('first', 'shipped', 0.5), found('second', 'shipped', 0.45)];
  const failing = { completed: 0, attempts: 20 };

  it('by the formula, with the counts', () => {
    const recent = ({ id }: Capsule) =>
      id === 'first' ? { completed: 1, attempts: 5 } : undefined;
    const { capsuleId, candidates, zone } = decideRoute(near, measure, { model: true, recent });
    expect({ zone, capsuleId }).toEqual({ zone: 'close', capsuleId: 'second' });
    const first = candidates.find((one) => one.capsuleId === 'first');
    expect(first?.success).toBeCloseTo(0.2 * (5 / 10 - 0.8));
    expect(first?.score).toBeCloseTo(0.5 + (first?.success ?? 0));
    expect(first?.recent).toEqual({ completed: 1, attempts: 5 });
    expect(candidates[0]).not.toHaveProperty('success');
  });

  it('so that twenty failures outweigh any lead that is close', () => {
    const lead = successTerm({ completed: 0, attempts: 0 }) - successTerm(failing);
    expect(lead).toBeGreaterThan(measure.lead);
  });

  it('but not the one that is clearly ahead', () => {
    const ahead = [found('first', 'shipped', 0.7), found('second', 'shipped', 0.5)];
    const recent = () => failing;
    const { zone, capsuleId } = decideRoute(ahead, measure, { model: true, recent });
    expect({ zone, capsuleId }).toEqual({ zone: 'take', capsuleId: 'first' });
  });
});
