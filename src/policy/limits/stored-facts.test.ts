import { describe, expect, it } from 'vitest';
import type { ChatFacts } from '../decide/chat-facts.ts';
import type { ToolCallFacts } from '../decide/tool-call-facts.ts';
import {
  fromStoredChatFacts,
  fromStoredFacts,
  toStoredChatFacts,
  toStoredFacts,
} from './stored-facts.ts';

const plain: ToolCallFacts = {
  grant: { paths: ['**'] },
  workspace: '/w',
  paths: [{ path: 'a', access: 'read', realPath: '/w/a', isProtected: false }],
  namedHosts: new Set(),
  hasReadPrivate: false,
  holdsSecret: false,
  isolation: 'A',
  gates: { write: 'auto', execute: 'auto', spend: 'auto' },
};
const full: ToolCallFacts = {
  ...plain,
  paths: [
    {
      path: 'a',
      access: 'write',
      realPath: '/w/b',
      isProtected: true,
      state: 'other',
      isExecutable: true,
    },
  ],
  namedHosts: new Set(['a.example', 'b.example:81']),
  hasReadPrivate: true,
  holdsSecret: true,
  trust: { 1: 'sampling', 2: 'autonomous' },
  isSampled: false,
  services: new Set(['maps']),
  capsuleId: 'clerk',
  costMicroUsd: 5,
  isTreeFiltered: true,
  breaker: { subject: 'maps', restMs: 5 },
  hook: { answer: 'ask', hook: 'guard', why: 'Look.' },
};
const chat: ChatFacts = {
  provider: 'openai',
  model: 'gpt',
  estimateMicroUsd: undefined,
  gate: 'auto',
  hasConsent: true,
  holdsSecret: false,
  runSpentMicroUsd: 1,
  runBudgetMicroUsd: 2,
  daySpentMicroUsd: 3,
  dayBudgetMicroUsd: 4,
  runTokens: 5,
  runTokenBudget: undefined,
  capsuleId: 'clerk',
  origin: 'https://api.openai.com',
  capsule: { budget: { runMicroUsd: 9 }, runSpentMicroUsd: 1, daySpentMicroUsd: 2 },
};

describe('the facts of a decision', () => {
  it.each([
    ['plain ones', plain],
    ['all there are', full],
    ['those of no grant', { ...plain, grant: undefined }],
  ])('are restored unchanged: %s', (_what, facts) => {
    const stored = JSON.parse(JSON.stringify(toStoredFacts({ ...facts, rules: [] })));
    expect(fromStoredFacts(stored, undefined)).toEqual({ ...facts, rules: undefined });
  });

  it('of a model call are restored unchanged', () => {
    const stored = JSON.parse(JSON.stringify(toStoredChatFacts({ ...chat, rules: [] })));
    expect(fromStoredChatFacts(stored, 'unreadable')).toEqual({ ...chat, rules: 'unreadable' });
  });

  it('are short if they have common values', () => {
    expect(JSON.stringify(toStoredFacts(plain)).length).toBeLessThan(220);
  });

  it('drop fields that are not part of them', () => {
    const onDisk = { ...plain, onDisk: new Map([['a', 'b']]) };
    expect(toStoredFacts(onDisk)).not.toHaveProperty('onDisk');
  });

  it.each([null, {}, '', [], { v: 2, of: 'tool' }, { v: 1, of: 'tool' }])(
    'are not read from %j',
    (stored) => {
      expect(fromStoredFacts(stored, [])).toBeUndefined();
      expect(fromStoredChatFacts(stored, [])).toBeUndefined();
    },
  );
});
