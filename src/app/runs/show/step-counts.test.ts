import { expect, it } from 'vitest';
import { stepCounts } from './step-counts.ts';

const steps = (...statuses: string[]) => statuses.map((status) => ({ status }));

it.each([
  [steps('failed'), { done: 0, all: 1, replaced: 0 }],
  [steps('cancelled', 'cancelled'), { done: 0, all: 2, replaced: 0 }],
  [steps('completed', 'skipped', 'running'), { done: 1, all: 3, replaced: 0 }],
  [
    [...steps('completed'), { status: 'skipped', replaced: true }],
    { done: 1, all: 1, replaced: 1 },
  ],
  [[], { done: 0, all: 0, replaced: 0 }],
])(
  'only steps that completed are done, and replaced ones are counted apart: %o',
  (given, counts) => {
    expect(stepCounts(given)).toEqual(counts);
  },
);
