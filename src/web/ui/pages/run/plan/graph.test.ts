import { expect, it } from 'vitest';
import type { Step } from '../../../../../contract/documents/run-documents.ts';
import { criticalPath } from './graph.tsx';

const step = (id: string, depends_on: string[], seconds: number): Step =>
  ({
    id,
    depends_on,
    started_at: '2026-11-22T14:00:00Z',
    ended_at: new Date(Date.parse('2026-11-22T14:00:00Z') + seconds * 1_000).toISOString(),
  }) as Step;

it('follows the chain of steps that takes longest', () => {
  const steps = [
    step('s1', [], 5),
    step('s2', [], 9),
    step('s3', ['s1', 's2'], 1),
    step('s4', ['s1'], 2),
  ];
  expect(criticalPath(steps, 0)).toEqual(['s2', 's3']);
});

it('has no steps without a plan', () => {
  expect(criticalPath([], 0)).toEqual([]);
});
