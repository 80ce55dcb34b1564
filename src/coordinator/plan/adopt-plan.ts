import type { RunContext } from '../context/run-context.ts';
import { callRunHooks } from '../context/run-hooks.ts';
import type { ReplacedFor } from '../store/subtasks/subtask-record.ts';
import type { Plan } from './make/planner.ts';

export interface Adoption {
  /** Messages of the person that the plan covers. */
  readonly messageIds: readonly string[];
  /** The steps that it replaces, and why. */
  readonly replaces?: { readonly ids: readonly string[]; readonly why: ReplacedFor };
  /** Steps of an unapproved plan, which this one replaces. */
  readonly discards?: readonly string[];
}

/**
 * Writes a plan into the rows of the run, in one transaction.
 *
 * @throws AppError `INTENT_DENIED` if a `post_plan` hook denies it.
 */
export async function adoptPlan(
  run: RunContext,
  { phase, steps }: Plan,
  { messageIds, replaces, discards = [] }: Adoption,
): Promise<void> {
  const { parts, record } = run;
  await callRunHooks(run, 'post_plan', { phase, steps });
  parts.journal.note(() => {
    if (replaces) parts.subtasks.replace(record.id, replaces.ids, replaces.why);
    if (discards.length > 0) parts.subtasks.discard(record.id, discards);
    parts.subtasks.add(record.id, phase, steps);
    parts.messages.take(messageIds);
  });
  reportPlan(run, { phase, steps });
}

export function reportPlan({ parts, record }: RunContext, { phase, steps }: Plan): void {
  parts.events.emit({
    type: 'plan.made',
    run_id: record.id,
    phase,
    subtasks: steps.map(({ id, description, depends_on }) => ({ id, description, depends_on })),
  });
}
