import type { Settings } from '../../../config/settings.ts';
import type { IntentSummary } from '../../../contract/intent.ts';
import type { NextAction } from '../../../contract/next.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import { isResumable } from '../../../coordinator/store/runs/run-record.ts';
import type { SubtaskRecord } from '../../../coordinator/store/subtasks/subtask-record.ts';
import { limitsOf, raiseOf } from '../../../policy/limits/spend-limits.ts';
import { fromStoredChatFacts } from '../../../policy/limits/stored-facts.ts';

type FailedRun = Pick<
  RunRecord,
  'id' | 'status' | 'reason' | 'error' | 'provider' | 'policyVersion' | 'options' | 'request'
>;

type Ended = Pick<IntentSummary, 'rule' | 'denial' | 'facts'> &
  Partial<Pick<IntentSummary, 'outcome'>>;

/** Problems of a provider that another key, address or model solves, and those that the resumed run has again. */
const FOR_SETUP: ReadonlySet<string> = new Set(['auth', 'not_found', 'malformed']);
const HAD_AGAIN: ReadonlySet<string> = new Set(['not_found', 'too_large']);

/** Failures of a run without a language model that a model could avoid. */
const FOR_A_MODEL: ReadonlySet<string> = new Set([
  'MODEL_NEEDED',
  'NEEDS_MODEL',
  'ATTACHMENT_NEEDS_MODEL',
  'NOT_FOR_ME',
  'NOT_UNDERSTOOD',
  'NO_CAPSULE_FITS',
]);

/** Failures that the same task has again without a model: it needs other words or other files. */
const REPEATED: ReadonlySet<string> = new Set([
  ...FOR_A_MODEL,
  'AMBIGUOUS',
  'CAPSULE_UNKNOWN',
  'FILE_MISSING',
  'INPUT_INVALID',
  'INPUT_TOO_LARGE',
  'NOTHING_TO_SAVE',
  'NOTHING_TO_SUMMARISE',
  'NOT_FOUND',
  'NOT_SUPPORTED',
  'PATH_OUTSIDE_ROOTS',
]);

/** Errors of settings that a key does not change. */
const OF_A_CAPSULE: ReadonlySet<string> = new Set(['CAPSULE_UNKNOWN', 'CAPSULE_QUARANTINED']);

type Ending = Pick<SubtaskRecord, 'error' | 'reason' | 'status'>;

/** The errors of the run and of the steps that failed by themselves. */
const errorsOf = (run: FailedRun, subtasks: readonly Ending[]) =>
  [run, ...subtasks.filter(({ reason }) => reason !== 'dependency_failed')].flatMap(
    ({ error }) => error ?? [],
  );

/** Whether a parked or failed run can be resumed, and would not only fail again. */
export const mayResume = (run: FailedRun, subtasks: readonly Ending[]): boolean =>
  isResumable(run) &&
  (run.status === 'parked' ||
    run.provider !== 'offline' ||
    subtasks.some(({ status }) => status === 'completed') ||
    errorsOf(run, subtasks).some(({ code }) => !REPEATED.has(code)));

/** The actions that the failures suggest, each once, then how to resume the run, if it would not only fail again. */
export function nextOfFailed(
  run: FailedRun,
  subtasks: readonly Ending[],
  intents: readonly Ended[] = [],
): NextAction[] {
  const errors = errorsOf(run, subtasks);
  const suggested = errors.flatMap(({ next }) => next ?? []);
  const problem = (run.reason === 'provider' && lastFailure(intents)?.problem) || '';
  const mayHelp = run.reason !== 'denied' && !HAD_AGAIN.has(problem);
  const wantsModel = run.provider === 'offline' && errors.some(({ code }) => FOR_A_MODEL.has(code));
  // Without the right key, resuming fails again.
  const wantsKey = run.reason === 'settings' && !errors.some(({ code }) => OF_A_CAPSULE.has(code));
  const wantsProvider = wantsModel || wantsKey || FOR_SETUP.has(problem);
  const actions: NextAction[] = [
    ...(wantsProvider ? [{ action: 'choose_provider' as const }] : []),
    ...(problem === 'too_large' ? [{ action: 'clear_session' as const }] : []),
    ...suggested.filter(({ action }) => action !== 'resume'),
    ...(mayHelp && mayResume(run, subtasks) ? [resumeAction(run, errors, intents)] : []),
  ];
  return [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
}

/** How to resume a parked or failed run: with a higher limit, if one ended it. */
export function resumeAction(
  { id, reason, options }: Pick<FailedRun, 'id' | 'reason' | 'options'>,
  errors: readonly { readonly code: string }[],
  intents: readonly Ended[],
): NextAction {
  const has = (code: string) => errors.some((error) => error.code === code);
  const { maxIntents, runTimeoutMs, budget } = options as Partial<Settings>;
  const denied = deniedBy(reason, intents);
  const refused = amountsOf(denied);
  /** Enough for the refused call, else twice the limit; a run without a known limit is only resumed. */
  const raised = (limit: number | undefined, action: Raised, unit = 1): NextAction => {
    if (limit === undefined) return { action: 'resume', id };
    const raise = raiseOf(
      { spent: refused?.spent ?? limit, budget: limit },
      refused ?? { estimateMicroUsd: 0 },
    );
    return { ...action, id, value: (limit + raise) / unit };
  };
  const raiseSetting = (setting: string, limit: number | undefined, unit?: number) =>
    raised(limit, { action: 'raise_setting', setting }, unit);

  if (has('TOO_MANY_INTENTS')) return raiseSetting('CAPSTAN_MAX_INTENTS', maxIntents);
  // A capsule's own time has a setting, which `resume` reads.
  if (has('CAPSULE_TIMED_OUT')) return { action: 'resume', id };
  if (reason === 'deadline') return raised(runTimeoutMs, { action: 'raise_timeout' }, 1_000);
  if (reason !== 'budget' && denied === undefined) return { action: 'resume', id };
  const rule = denied?.rule;
  // More money for the run does not help if another limit denied the call.
  if (rule === 'token_budget') return raiseSetting('CAPSTAN_BUDGET_RUN_TOKENS', budget?.runTokens);
  if (rule === 'day_budget')
    return raiseSetting('CAPSTAN_BUDGET_DAY_USD', budget?.dayMicroUsd, 1e6);
  return raised(budget?.runMicroUsd, { action: 'raise_budget' }, 1e6);
}

/** Why the last failed call of the provider failed, and the limit that did not allow another try. */
const lastFailure = (intents: readonly Ended[]) =>
  intents
    .map(({ outcome }) => outcome as { problem?: string; refused?: Denied } | undefined)
    .findLast((outcome) => outcome?.problem !== undefined);

type Denied = Pick<Ended, 'rule' | 'facts'>;

/** The decision of the budget that ended the run. */
function deniedBy(reason: FailedRun['reason'], intents: readonly Ended[]): Denied | undefined {
  if (reason === 'budget') return intents.findLast(({ denial }) => denial === 'budget');
  return reason === 'provider' ? lastFailure(intents)?.refused : undefined;
}

/** What was spent of a limit, and what a call that it denied would have added: in tokens or millionths of a dollar. */
function amountsOf(denied: Denied | undefined) {
  const facts = fromStoredChatFacts(denied?.facts, undefined);
  if (facts === undefined) return undefined;
  const { runTokens, estimateTokens = 0, estimateMicroUsd = 0 } = facts;
  if (denied?.rule === 'token_budget')
    return { spent: runTokens, estimateMicroUsd: estimateTokens };
  const limit = limitsOf(facts).find(({ rule }) => rule === denied?.rule);
  return limit && { spent: limit.spent, estimateMicroUsd };
}

type Raised =
  | { readonly action: 'raise_budget' | 'raise_timeout' }
  | { readonly action: 'raise_setting'; readonly setting: string };
