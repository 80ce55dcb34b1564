import { describe, expect, it } from 'vitest';
import { decideCreate } from './decide-create.ts';

describe('decideCreate', () => {
  it.each([
    ['auto', 'ask', 5],
    ['ask', 'ask', 4],
    ['allow', 'allow', 4],
    ['deny', 'deny', 1],
  ] as const)('with the gate at %s says %s', (gate, kind, step) => {
    expect(decideCreate({ gate, capsuleId: 'x', description: 'y' })).toMatchObject({ kind, step });
  });
});
