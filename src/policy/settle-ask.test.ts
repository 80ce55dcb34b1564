import { describe, expect, it } from 'vitest';
import { settleAsk } from './settle-ask.ts';

const ask = (forced: boolean) =>
  ({ kind: 'ask', step: 5, rule: 'x', question: '?', sentence: '', forced }) as const;

describe('settleAsk', () => {
  it.each([
    ['allow', false, true, 'approve_mode', true],
    ['allow', false, false, 'approve_mode', true],
    ['deny', false, true, 'approve_mode', false],
    ['ask', false, true, 'person', undefined],
    ['ask', false, false, 'nobody', false],
    ['allow', true, true, 'person', undefined],
    ['allow', true, false, 'nobody', false],
    ['deny', true, true, 'person', undefined],
    ['deny', true, false, 'nobody', false],
  ] as const)(
    'mode %s, forced %s, somebody there %s: %s',
    (approveMode, forced, isSomebodyThere, by, isApproved) => {
      const settled = settleAsk(ask(forced), { approveMode, isSomebodyThere });
      expect(settled.by).toBe(by);
      if (settled.by !== 'person') expect(settled.isApproved).toBe(isApproved);
    },
  );
});
