import type { Settings } from '../../../config/settings.ts';
import type { IntentSummary } from '../../../contract/intent.ts';
import type { NextAction } from '../../../contract/next.ts';
import { isResumable } from '../../../coordinator/life/is-resumable.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { SubtaskRecord } from '../../../coordinator/store/subtasks/subtask-record.ts';

type FailedRun = Pick<
  RunRecord,
  'id' | 'status' | 'reason' | 'error' | 'provider' | 'policyVersion' | 'options'
>;

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

/** The actions that the failures suggest, each once, then how to resume the run, if it would not only fail again. */
export function nextOfFailed(
  run: FailedRun,
  subtasks: readonly Pick<SubtaskRecord, 'error' | 'reason' | 'status'>[],
  intents: readonly Pick<IntentSummary, 'rule' | 'denial'>[] = [],
): NextAction[] {
  const failed = subtasks.filter(({ reason }) => reason !== 'dependency_failed');
  const errors = [run, ...failed].flatMap(({ error }) => error ?? []);
  const suggested = errors.flatMap(({ next }) => next ?? []);
  const isRepeated =
    run.provider === 'offline' &&
    subtasks.every(({ status }) => status !== 'completed') &&
    errors.every(({ code }) => REPEATED.has(code));
  const mayHelp = run.reason !== 'denied' && !isRepeated;
  const wantsModel = run.provider === 'offline' && errors.some(({ code }) => FOR_A_MODEL.has(code));
  // Without a key, resuming fails again.
  const wantsProvider = wantsModel || run.reason === 'settings';
  const actions: NextAction[] = [
    ...(wantsProvider ? [{ action: 'choose_provider' as const }] : []),
    ...suggested.filter(({ action }) => action !== 'resume'),
    ...(isResumable(run) && mayHelp ? [resumeAction(run, errors, intents)] : []),
  ];
  return [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
}

function resumeAction(
  { id, reason, options }: FailedRun,
  errors: readonly { readonly code: string }[],
  intents: readonly Pick<IntentSummary, 'rule' | 'denial'>[],
): NextAction {
  const has = (code: string) => errors.some((error) => error.code === code);
  const { maxIntents, runTimeoutMs, budget } = options as Partial<Settings>;
  /** Twice the limit; a run without a known limit is only resumed. */
  const raised = (limit: number | undefined, action: Raised): NextAction =>
    limit === undefined ? { action: 'resume', id } : { ...action, id, value: 2 * limit };
  const raiseSetting = (setting: string, limit: number | undefined) =>
    raised(limit, { action: 'raise_setting', setting });
  const usd = (microUsd: number | undefined) => microUsd && microUsd / 1e6;

  if (has('TOO_MANY_INTENTS')) return raiseSetting('CAPSTAN_MAX_INTENTS', maxIntents);
  // A capsule's own time has a setting, which `resume` reads.
  if (has('CAPSULE_TIMED_OUT')) return { action: 'resume', id };
  if (reason === 'deadline')
    return raised(runTimeoutMs && runTimeoutMs / 1_000, { action: 'raise_timeout' });
  if (reason !== 'budget') return { action: 'resume', id };
  const rule = intents.findLast(({ denial }) => denial === 'budget')?.rule;
  // More money for the run does not help if another limit denied the call.
  if (rule === 'token_budget') return raiseSetting('CAPSTAN_BUDGET_RUN_TOKENS', budget?.runTokens);
  if (rule === 'day_budget')
    return raiseSetting('CAPSTAN_BUDGET_DAY_USD', usd(budget?.dayMicroUsd));
  return raised(usd(budget?.runMicroUsd), { action: 'raise_budget' });
}

type Raised =
  | { readonly action: 'raise_budget' | 'raise_timeout' }
  | { readonly action: 'raise_setting'; readonly setting: string };
