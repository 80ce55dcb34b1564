import type { AttemptTally } from '../../broker/intent/scope.ts';
import type { Failure, Reason } from '../../contract/status.ts';
import { printable } from '../../contract/text/printable.ts';
import type { AgentResponse } from '../../contract/wire/protocol.ts';
import type { AttemptPlan } from '../attempt/attempt-basis.ts';
import { type AttemptOutcome, failed } from '../attempt/note-use.ts';
import type { RunContext } from '../context/run-context.ts';
import { isIdle, missingOutput } from './missing-output.ts';

/**
 * The outcome of an attempt that sent an `agent_response`. With status `ok`, it must contain a result, none of its changes may have been
 * discarded, and the files that it names and that the step must write must exist. A notice says if it changed nothing, although it must.
 */
export async function judgeFinal(
  run: RunContext,
  plan: Pick<AttemptPlan, 'step' | 'number' | 'kind' | 'appliedEffects'>,
  { response, tally }: { readonly response: AgentResponse; readonly tally: AttemptTally },
): Promise<AttemptOutcome> {
  const outcome = judge(response, tally);
  if (!outcome.ok) return outcome;
  const { step, number, kind } = plan;
  const { parts, record } = run;
  const { artifacts, unchanged } = response;
  const named = { artifacts: pathsOf(artifacts), unchanged: pathsOf(unchanged) };
  const message = parts.missingOutput
    ? parts.missingOutput(step, number)
    : await missingOutput(run, step, named);
  if (message !== undefined) return failed({ code: 'OUTPUT_MISSING', message }, tally);
  if (kind.mode !== 'handler' && isIdle(plan, tally, named)) {
    const text = `Nothing was changed, although this step was to change something: ${printable(step.description, 100)}`;
    parts.events.emit({ type: 'run.noticed', run_id: record.id, text });
  }
  return outcome;
}

const pathsOf = (files: AgentResponse['artifacts'] = []) => files.map(({ path }) => path);

/** The outcome as the capsule reports it. */
function judge({ status, result }: AgentResponse, tally: AttemptTally): AttemptOutcome {
  if (status === 'ok') {
    const problem = isEmpty(result) ? NO_RESULT : tally.discarded[0]?.error;
    return problem ? failed(problem, tally) : { ok: true, result };
  }
  const { code, message } = (result ?? {}) as Partial<Record<keyof Failure, unknown>>;
  const failure = {
    code: typeof code === 'string' ? code : 'TASK_FAILED',
    message: typeof message === 'string' ? message : JSON.stringify(result ?? null),
  };
  return failed(failure, tally, deniedReason(tally, code));
}

const NO_RESULT: Failure = {
  code: 'RESULT_EMPTY',
  message: 'The capsule reported success without a result.',
};

const isEmpty = (result: unknown): boolean =>
  result === null ||
  result === undefined ||
  (typeof result === 'string' && result.trim() === '') ||
  (typeof result === 'object' && 'text' in result && isEmpty(result.text) && !('data' in result));

/** A capsule that gave up after a denial failed for the reason of the denial. With another plan it would reach its limit of steps again. */
function deniedReason({ denial }: AttemptTally, code: unknown): Reason {
  const reasons: readonly Reason[] = ['denied', 'expired', 'budget', 'provider', 'isolation'];
  const own = code === 'MAX_STEPS' ? 'limit' : 'subtask_failed';
  return reasons.find((reason) => reason === denial) ?? own;
}
