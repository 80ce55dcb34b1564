import { describe, expect, it } from 'vitest';
import { type ChatFacts, decideApiCall } from './decide-api-call.ts';

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

  it('gives the reason budget where money or tokens are why', () => {
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
        'Spend up to $1.00 on openai (gpt) in this run? What capsules read of your files will be sent there; this call: up to $0.02.',
      forced: false,
    });
  });
});
