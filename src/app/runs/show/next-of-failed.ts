import type { IntentSummary } from '../../../contract/intent.ts';
import type { NextAction } from '../../../contract/next.ts';
import { isResumable } from '../../../coordinator/life/is-resumable.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { SubtaskRecord } from '../../../coordinator/store/subtasks/subtask-record.ts';

type FailedRun = Pick<
  RunRecord,
  'id' | 'status' | 'reason' | 'error' | 'provider' | 'policyVersion'
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
  const actions: NextAction[] = [
    ...(wantsModel ? [{ action: 'choose_provider' as const }] : []),
    ...suggested.filter(({ action }) => action !== 'resume'),
    ...(isResumable(run) && mayHelp ? [resumeAction(run, errors, intents)] : []),
  ];
  return [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
}

/** The settings of the budgets that `raise_budget` does not raise, by the rule that denied a call. */
const BUDGETS: Readonly<Record<string, string>> = {
  token_budget: 'CAPSTAN_BUDGET_RUN_TOKENS',
  day_budget: 'CAPSTAN_BUDGET_DAY_USD',
};

function resumeAction(
  { id, reason }: FailedRun,
  errors: readonly { readonly code: string }[],
  intents: readonly Pick<IntentSummary, 'rule' | 'denial'>[],
): NextAction {
  const has = (code: string) => errors.some((error) => error.code === code);
  if (has('TOO_MANY_INTENTS'))
    return { action: 'raise_setting', id, setting: 'CAPSTAN_MAX_INTENTS' };
  // A capsule's own time has a setting, which `resume` reads.
  if (has('CAPSULE_TIMED_OUT')) return { action: 'resume', id };
  if (reason === 'deadline') return { action: 'raise_timeout', id };
  if (reason !== 'budget') return { action: 'resume', id };
  const rule = intents.findLast(({ denial }) => denial === 'budget')?.rule ?? '';
  const setting = BUDGETS[rule];
  return setting ? { action: 'raise_setting', id, setting } : { action: 'raise_budget', id };
}
