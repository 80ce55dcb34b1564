import { describe, expect, it } from 'vitest';
import { settleAsk } from './settle-ask.ts';

const ask = (forced: boolean) =>
  ({ kind: 'ask', step: 5, rule: 'x', question: '?', sentence: '', forced }) as const;

describe('settleAsk', () => {
  it.each([
    ['allow', false, 'approve_mode', true],
    ['deny', false, 'approve_mode', false],
    ['ask', false, 'person', undefined],
    ['allow', true, 'person', undefined],
    ['deny', true, 'person', undefined],
    ['ask', true, 'person', undefined],
  ] as const)('mode %s, forced %s: %s', (approveMode, forced, by, isApproved) => {
    const settled = settleAsk(ask(forced), { approveMode });
    expect(settled.by).toBe(by);
    if (settled.by !== 'person') expect(settled.isApproved).toBe(isApproved);
  });
});
