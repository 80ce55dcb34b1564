import { AppError } from '../../contract/errors.ts';
import { withFullStop } from '../../contract/text/full-stop.ts';
import type { HookPoint } from '../../hooks/hook.ts';
import type { Phase } from '../plan/plan.ts';
import type { RunNote } from '../store/runs/run-record.ts';
import type { RunContext } from './run-context.ts';

type RunPoint = Extract<HookPoint, 'pre_run' | 'post_run' | 'pre_plan' | 'post_plan'>;
type Hooked = Pick<RunContext, 'parts' | 'record' | 'signal'>;

/**
 * Calls the hooks of a point of the run itself. Notes that they add before a plan are stored in the run's row, where a
 * resumed run and a replay find them; later notes become events.
 *
 * @param payload `phase` is the phase of the plan.
 * @throws AppError `INTENT_DENIED` if one of them denies; `CANCELLED`.
 */
export async function callRunHooks(
  run: Hooked,
  point: RunPoint,
  payload: { readonly phase?: Phase; readonly [name: string]: unknown },
): Promise<void> {
  const { parts, record, signal } = run;
  if (!parts.hooks.has(point)) return;
  const { id: run_id, task, workspace, provider } = record;
  const about = { run_id, task, workspace, provider };
  const verdict = await parts.hooks.run(point, { ...about, ...payload }, { signal });
  if (verdict.kind === 'deny') {
    const sentence = `The hook "${verdict.hook}" denied it. ${withFullStop(verdict.why)}`.trim();
    throw new AppError('INTENT_DENIED', { what: 'The run', reason: 'denied', sentence });
  }
  const notes = verdict.injected.map((note) => ({ ...note, phase: payload.phase ?? null }));
  if (point === 'pre_run' || point === 'pre_plan') saveNotes(run, notes);
  else
    for (const { by, text } of notes)
      parts.events.emit({ type: 'run.noticed', run_id, text: `The hook "${by}" says: ${text}` });
}

/** Stores the first notes of each phase, so that a resumed run requests its plan with the same notes. */
function saveNotes({ parts, record }: Hooked, added: readonly RunNote[]): void {
  const known = record.request.notes ?? [];
  const fresh = added.filter(({ phase }) => known.every((note) => note.phase !== phase));
  if (fresh.length === 0) return;
  const { id } = record;
  parts.journal.commit(() => {
    parts.runs.addToRequest(record, { notes: [...known, ...fresh] });
    const detail = { by: fresh.map(({ by }) => by) };
    parts.audit.append({ actor: 'hook', action: 'run.noted', runId: id, ref: id, detail });
  });
}

/** The task, followed by the notes of hooks for the run and for the plan of this phase. */
export function taskWithNotes({ record }: Pick<RunContext, 'record'>, wanted: Phase): string {
  const added = (record.request.notes ?? [])
    .filter(({ phase }) => phase === null || phase === wanted)
    .map(({ by, text }) => `Note of the hook "${by}": ${text}`);
  return [record.task, ...added].join('\n\n');
}
