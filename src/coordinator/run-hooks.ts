import { AppError } from '../errors.ts';
import type { HookPoint } from '../hooks/hook.ts';
import type { RunContext } from './run-context.ts';

/**
 * Calls the hooks of a point of the run itself.
 *
 * @throws AppError `INTENT_DENIED` where one of them says no.
 */
export async function callRunHooks(
  { parts, record, signal }: RunContext,
  point: Extract<HookPoint, 'pre_run' | 'post_run' | 'pre_plan' | 'post_plan'>,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!parts.hooks.has(point)) return;
  const { id: run_id, task, workspace, provider } = record;
  const about = { run_id, task, workspace, provider };
  const verdict = await parts.hooks.run(point, { ...about, ...payload }, { signal });
  if (verdict.kind !== 'deny') return;
  const sentence = `The hook "${verdict.hook}" says no. ${verdict.why}`.trim();
  throw new AppError('INTENT_DENIED', { what: 'The run', reason: 'denied', sentence });
}
