import { describe, expect, it } from 'vitest';
import type { Reason } from '../../../contract/status.ts';
import { nextOfFailed, resumeAction } from './next-of-failed.ts';

const run = (reason: Reason = 'subtask_failed') =>
  ({
    ...{ id: 'r1', status: 'failed' as const, reason, error: null },
    ...{ provider: 'offline', policyVersion: 'v1' },
    request: { namedCapsule: null, namedHosts: [] as string[] },
    options: {
      runTimeoutMs: 30_000,
      budget: { runMicroUsd: 500_000, dayMicroUsd: 10_000_000, runTokens: 50 },
    },
  }) as const;

const step = (code: string, reason: Reason = 'subtask_failed') =>
  ({ status: 'failed', reason, error: { code, message: 'It failed.' } }) as const;

const resume = { action: 'resume', id: 'r1' };

describe('nextOfFailed', () => {
  it.each(['FILE_MISSING', 'NOT_FOUND', 'NOT_SUPPORTED', 'AMBIGUOUS', 'NOTHING_TO_SAVE'])(
    '%s: suggests nothing, because the same task fails again',
    (code) => {
      expect(nextOfFailed(run(), [step(code)])).toEqual([]);
    },
  );

  it.each(['NOT_UNDERSTOOD', 'NEEDS_MODEL', 'MODEL_NEEDED', 'ATTACHMENT_NEEDS_MODEL'])(
    '%s: suggests a model, and no resume',
    (code) => {
      expect(nextOfFailed(run(), [step(code)])).toEqual([{ action: 'choose_provider' }]);
    },
  );

  it('ignores the steps that were skipped because of the failure', () => {
    const skipped = step('DEPENDENCY_FAILED', 'dependency_failed');
    expect(nextOfFailed(run(), [step('FILE_MISSING'), skipped])).toEqual([]);
  });

  it.each(['COMMAND_FAILED', 'FETCH_FAILED', 'TOOL_FAILED'])(
    '%s: suggests to resume, because the cause may be gone',
    (code) => {
      expect(nextOfFailed(run(), [step(code)])).toEqual([resume]);
    },
  );

  it('suggests to resume if other steps are done, or a model may do it otherwise', () => {
    const done = { status: 'completed', reason: null, error: null } as const;
    expect(nextOfFailed(run(), [done, step('FILE_MISSING')])).toEqual([resume]);
    const byModel = { ...run(), provider: 'ollama' };
    expect(nextOfFailed(byModel, [step('NOT_FOUND')])).toEqual([resume]);
  });

  it('suggests to resume if only one of several failures would be the same again', () => {
    expect(nextOfFailed(run(), [step('FILE_MISSING'), step('FETCH_FAILED')])).toEqual([resume]);
  });

  it.each([
    ['deadline', 'raise_timeout', 60],
    ['budget', 'raise_budget', 1],
  ] as const)('%s: suggests to resume with twice as much, once', (reason, action, value) => {
    const suggested = [{ action, id: 'r1', value }];
    expect(nextOfFailed(run(reason), [step('CANCELLED', reason)])).toEqual(suggested);
  });

  it('suggests a provider before it resumes a run whose settings are incomplete', () => {
    const error = { code: 'SETTINGS_INVALID', message: 'It needs a key.' };
    const suggested = [{ action: 'choose_provider' }, resume];
    expect(nextOfFailed({ ...run('settings'), provider: 'openai', error }, [])).toEqual(suggested);
  });

  it.each([
    ['token_budget', 'CAPSTAN_BUDGET_RUN_TOKENS', 100],
    ['day_budget', 'CAPSTAN_BUDGET_DAY_USD', 20],
  ])('%s: suggests the setting, because more money for the run would not help', (...row) => {
    const [rule, setting, value] = row;
    const denied = [{ rule, denial: 'budget' }];
    expect(nextOfFailed(run('budget'), [step('INTENT_DENIED', 'budget')], denied)).toEqual([
      { action: 'raise_setting', id: 'r1', setting, value },
    ]);
  });

  it.each([
    ['token_budget', { runTokens: 100, estimateTokens: 160 }, 'CAPSTAN_BUDGET_RUN_TOKENS', 300],
    ['day_budget', { estimateMicroUsd: 31_000_000 }, 'CAPSTAN_BUDGET_DAY_USD', 40],
  ])('%s: suggests a limit with which the refused call fits', (rule, amounts, setting, value) => {
    const money = { runSpentMicroUsd: 0, runBudgetMicroUsd: 0, daySpentMicroUsd: 0 };
    const call = { provider: 'openai', model: 'm', gate: 'auto', hasConsent: true };
    const facts = { v: 1, of: 'chat', ...call, ...money, dayBudgetMicroUsd: 1, runTokens: 0 };
    const denied = [{ rule, denial: 'budget', facts: { ...facts, ...amounts } }];
    expect(nextOfFailed(run('budget'), [step('INTENT_DENIED', 'budget')], denied)).toEqual([
      { action: 'raise_setting', id: 'r1', setting, value },
    ]);
  });

  it.each([
    ['auth', [{ action: 'choose_provider' }, resume]],
    ['malformed', [{ action: 'choose_provider' }, resume]],
    ['not_found', [{ action: 'choose_provider' }]],
    ['too_large', [{ action: 'clear_session' }]],
    ['quota', [resume]],
  ])('suggests what helps after the problem %s of the provider', (problem, expected) => {
    const calls = [{ rule: null, denial: null, outcome: { problem } }];
    const byModel = { ...run('provider'), provider: 'openai' };
    expect(nextOfFailed(byModel, [step('PROVIDER_FAILED', 'provider')], calls)).toEqual(expected);
  });

  it.each([
    ['run_budget', { action: 'raise_budget', id: 'r1', value: 1 }],
    [
      'day_budget',
      { action: 'raise_setting', setting: 'CAPSTAN_BUDGET_DAY_USD', id: 'r1', value: 20 },
    ],
    [
      'token_budget',
      { action: 'raise_setting', setting: 'CAPSTAN_BUDGET_RUN_TOKENS', id: 'r1', value: 100 },
    ],
  ])(
    'suggests to raise the limit after an outage if it did not allow another try: %s',
    (rule, expected) => {
      const refused = { rule, facts: undefined };
      const calls = [{ rule: null, denial: null, outcome: { problem: 'network', refused } }];
      expect(resumeAction(run('provider'), [], calls)).toEqual(expected);
      const later = { rule: null, denial: null, outcome: { problem: 'network' } };
      expect(resumeAction(run('provider'), [], [...calls, later])).toEqual(resume);
    },
  );

  it('does not suggest more time for the run if a capsule used up its own', () => {
    const own = [step('CAPSULE_TIMED_OUT', 'deadline')];
    expect(nextOfFailed(run('deadline'), own)).toEqual([resume]);
  });

  it('does not suggest to ask again for what was denied', () => {
    expect(nextOfFailed(run('denied'), [step('INTENT_DENIED', 'denied')])).toEqual([]);
  });
});
