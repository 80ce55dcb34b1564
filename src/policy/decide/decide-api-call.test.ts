import { describe, expect, it } from 'vitest';
import { compileRule } from '../rules/compile-rule.ts';
import type { Rule } from '../rules/rule.ts';
import type { When } from '../rules/rules-schema.ts';
import type { ChatFacts } from './chat-facts.ts';
import { decideApiCall } from './decide-api-call.ts';

const facts = (changes: Partial<ChatFacts> = {}): ChatFacts => ({
  provider: 'openai',
  model: 'gpt',
  estimateMicroUsd: 20_000,
  gate: 'auto',
  hasConsent: false,
  holdsSecret: false,
  runSpentMicroUsd: 0,
  runBudgetMicroUsd: 1_000_000,
  daySpentMicroUsd: 0,
  dayBudgetMicroUsd: 10_000_000,
  runTokens: 0,
  runTokenBudget: undefined,
  ...changes,
});
const free = { estimateMicroUsd: 0 };

describe('decideApiCall', () => {
  it.each<[string, Partial<ChatFacts>, string, string]>([
    ['asks about the first paid call', {}, 'ask', 'spend'],
    ['asks where nobody knows the price', { estimateMicroUsd: undefined }, 'ask', 'spend'],
    ['allows what costs nothing', free, 'allow', 'free_call'],
    [
      'allows what costs nothing behind a closed gate',
      { ...free, gate: 'deny' },
      'allow',
      'free_call',
    ],
    [
      'allows what costs nothing over the budget',
      { ...free, runSpentMicroUsd: 2_000_000 },
      'allow',
      'free_call',
    ],
    ['allows after consent', { hasConsent: true }, 'allow', 'consent'],
    ['allows by the gate', { gate: 'allow' }, 'allow', 'gate_allow'],
    ['asks by the gate', { gate: 'ask' }, 'ask', 'gate_ask'],
    [
      'asks by the gate once, not again after consent',
      { gate: 'ask', hasConsent: true },
      'allow',
      'consent',
    ],
    [
      'asks about a model whose price nobody knows',
      { isPriceKnown: false },
      'ask',
      'price_unknown',
    ],
    [
      'denies the call that might pass the cap of tokens',
      { runTokens: 900, runTokenBudget: 1_000, estimateTokens: 101, hasConsent: true },
      'deny',
      'token_budget',
    ],
    [
      'allows the call that fits the cap of tokens to the last one',
      { runTokens: 900, runTokenBudget: 1_000, estimateTokens: 100, hasConsent: true },
      'allow',
      'consent',
    ],
    ['denies by the gate', { gate: 'deny', hasConsent: true }, 'deny', 'gate_deny'],
    [
      'denies what would pass the budget of the run',
      { runSpentMicroUsd: 980_001, hasConsent: true },
      'deny',
      'run_budget',
    ],
    [
      'allows what spends the budget to the cent',
      { runSpentMicroUsd: 980_000, hasConsent: true },
      'allow',
      'consent',
    ],
    [
      'denies what would pass the budget of the day',
      { daySpentMicroUsd: 9_990_000, hasConsent: true },
      'deny',
      'day_budget',
    ],
    [
      'denies over the budget even where the gate allows',
      { runSpentMicroUsd: 999_999, gate: 'allow' },
      'deny',
      'run_budget',
    ],
    [
      'denies a call of unknown price once the budget is used up',
      { estimateMicroUsd: undefined, runSpentMicroUsd: 1_000_000, hasConsent: true },
      'deny',
      'run_budget',
    ],
    [
      'denies when the tokens are used up, also what costs nothing',
      { ...free, runTokens: 100, runTokenBudget: 100 },
      'deny',
      'token_budget',
    ],
    [
      'allows while tokens are left',
      { ...free, runTokens: 99, runTokenBudget: 100 },
      'allow',
      'free_call',
    ],
    [
      'denies a known secret, also to what costs nothing',
      { ...free, holdsSecret: true },
      'deny',
      'secret_in_request',
    ],
  ])('%s', (_behaviour, changes, kind, rule) => {
    expect(decideApiCall(facts(changes))).toMatchObject({ kind, rule });
  });

  it('gives the reason budget if money or tokens are the cause', () => {
    for (const changes of [
      { runSpentMicroUsd: 1_000_000 },
      { daySpentMicroUsd: 10_000_000 },
      { runTokens: 1, runTokenBudget: 1 },
    ]) {
      expect(decideApiCall(facts(changes))).toMatchObject({ reason: 'budget', step: 1 });
    }
  });

  it('says in the question who gets the money, how much, and what is sent', () => {
    const decision = decideApiCall(facts());
    expect(decision).toMatchObject({
      question:
        'Allow this run to spend up to $1.00 at openai (gpt)? Text of your files is sent there; this call: up to $0.02.',
      forced: false,
    });
  });
});

const rule = (answer: Rule['answer'], when: When): Rule =>
  compileRule({ id: `${answer}-it`, answer, when });
const openai = { capsuleId: 'summarizer', origin: 'https://api.openai.com/v1' };

describe('the order of a model call', () => {
  const secret = { holdsSecret: true };
  const unreadable = { rules: 'unreadable' } as const;
  const hookDeny = { hook: { answer: 'deny', hook: 'guard', why: 'Not now.' } } as const;
  const breaker = { breaker: { subject: 'openai (gpt)', restMs: 29_001 } };
  const tokens = { runTokens: 1, runTokenBudget: 1 };
  const gateDeny = { gate: 'deny' } as const;
  const budget = { runSpentMicroUsd: 1_000_000 };
  const hookAsk = { hook: { answer: 'ask', hook: 'guard', why: '' } } as const;
  const byRule = { rules: [rule('ask', { tool: ['chat'] })] };
  const gateAsk = { gate: 'ask' } as const;
  /** Each beats all that follow it. */
  const order: readonly (readonly [Partial<ChatFacts>, string, number, string])[] = [
    [secret, 'secret_in_request', 1, 'deny'],
    [unreadable, 'rules_unreadable', 1, 'deny'],
    [hookDeny, 'hook_deny', 1, 'deny'],
    [breaker, 'breaker_open', 1, 'deny'],
    [tokens, 'token_budget', 1, 'deny'],
    [gateDeny, 'gate_deny', 1, 'deny'],
    [budget, 'run_budget', 1, 'deny'],
    [hookAsk, 'hook_ask', 2, 'ask'],
    [byRule, 'ask-it', 3, 'ask'],
    [gateAsk, 'gate_ask', 4, 'ask'],
    [{}, 'spend', 5, 'ask'],
  ];

  it.each(order.map(([, rule], at) => [rule, at] as const))('has %s in its place', (_rule, at) => {
    const [, expected, step, kind] = order[at] ?? [];
    const together = Object.assign(
      {},
      ...order
        .slice(at)
        .map(([changes]) => changes)
        .reverse(),
    );
    expect(decideApiCall(facts(together))).toMatchObject({ rule: expected, step, kind });
  });

  it('names the provider of an open breaker, and how long it is paused', () => {
    expect(decideApiCall(facts({ ...breaker, estimateMicroUsd: 0 }))).toMatchObject({
      reason: 'provider',
      sentence: 'openai (gpt) failed too often and is paused for another 30 s.',
    });
  });

  it('forces the ask of a hook', () => {
    expect(decideApiCall(facts({ ...hookAsk, hasConsent: true }))).toMatchObject({ forced: true });
  });
});

describe('a budget that somebody may raise', () => {
  it('is asked about, and only a person answers', () => {
    const decision = decideApiCall(facts({ runSpentMicroUsd: 1_000_000, mayRaise: true }));
    expect(decision).toMatchObject({ kind: 'ask', step: 2, rule: 'run_budget', forced: true });
    expect(decision).toMatchObject({
      question:
        'Allow raising the budget for this run from $1.00 to $2.00, so that openai (gpt) can be asked?',
    });
  });

  it.each([
    ['run', { runMicroUsd: 50_000 }, 'capsule_run_budget'],
    ['day', { dayMicroUsd: 50_000 }, 'capsule_day_budget'],
  ] as const)("may be one capsule's, for its %s", (_what, limit, rule) => {
    const capsule = { budget: limit, runSpentMicroUsd: 40_000, daySpentMicroUsd: 40_000 };
    expect(decideApiCall(facts({ capsule, hasConsent: true }))).toMatchObject({
      kind: 'deny',
      rule,
      reason: 'budget',
    });
    const room = { ...capsule, runSpentMicroUsd: 30_000, daySpentMicroUsd: 30_000 };
    expect(decideApiCall(facts({ capsule: room, hasConsent: true })).kind).toBe('allow');
  });
});

describe('rules about model calls', () => {
  it.each<[string, Partial<ChatFacts>, Rule, string]>([
    ['deny a host', {}, rule('deny', { host: ['api.openai.com'] }), 'deny'],
    ['deny a capsule', {}, rule('deny', { capsule: ['summarizer'], tool: ['chat'] }), 'deny'],
    ['deny what costs nothing', free, rule('deny', { tool: ['chat'] }), 'deny'],
    ['ask about a price', {}, rule('ask', { cost_usd: { over: 0.01 } }), 'ask'],
    [
      'ask about what nobody knows the price of',
      { estimateMicroUsd: undefined },
      rule('ask', { cost_usd: { over: 5 } }),
      'ask',
    ],
    ['allow by name', {}, rule('allow', { tool: ['chat'] }), 'allow'],
    ['allow under a price', {}, rule('allow', { cost_usd: { under: 0.05 } }), 'allow'],
  ])('%s', (_what, changes, one, kind) => {
    const decision = decideApiCall(
      facts({ ...openai, ...changes, hasConsent: kind !== 'allow', rules: [one] }),
    );
    expect(decision).toMatchObject({ kind, step: 3, rule: one.id });
  });

  it('lift no budget, no gate and no secret', () => {
    const rules = [rule('allow', { tool: ['chat'] })];
    for (const changes of [
      { runSpentMicroUsd: 1_000_000 },
      { gate: 'deny' },
      { holdsSecret: true },
    ] as const) {
      expect(decideApiCall(facts({ ...openai, ...changes, rules })).kind).toBe('deny');
    }
  });

  it('leave a paid call to the spend question if they only allow everything', () => {
    const rules = [rule('allow', { tool: ['*'] }), rule('allow', { capsule: ['*'] })];
    expect(decideApiCall(facts({ ...openai, rules }))).toMatchObject({ kind: 'ask', step: 5 });
  });
});
