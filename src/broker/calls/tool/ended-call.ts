import { AppError, failedWith } from '../../../contract/errors.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { WireError } from '../../../contract/wire/coordinator-messages.ts';
import { wireError } from '../../../contract/wire/error-reply.ts';
import type { ToolOutput } from '../../../tools/define/tool.ts';
import { stateAt } from '../../../tools/files/path-state.ts';
import { mustNotRepeat } from '../../intent/record.ts';
import { neverSent } from '../../money/settle.ts';
import type { ToolCall, ToolOutcome } from './tool-call.ts';
import type { ToolFacts } from './tool-facts.ts';

/** How the call of a tool ended. */
export interface Ended {
  readonly outcome: ToolOutcome;
  readonly output?: ToolOutput;
  readonly isCancelled?: boolean;
  /** Whether the outcome is known, although it was cancelled. */
  readonly isKnown?: boolean;
  /** Whether it certainly changed nothing. */
  readonly isUndone?: boolean;
  readonly thrown?: unknown;
}

/** The end of a call whose tool threw. */
export async function endedByError(
  thrown: unknown,
  call: ToolCall,
  started: IntentRecord,
): Promise<Ended> {
  const interrupted = interruption(thrown, call);
  if (interrupted) {
    const outcome = { ok: false, error: interrupted };
    return { outcome, isCancelled: true, isKnown: true, thrown };
  }
  const isUndone = await changedNothing(thrown, call.facts);
  // A command whose changes were discarded has ended.
  const hasEnded = failedWith(thrown, 'HOME_DISCARDED') || failedWith(thrown, 'WRITES_DISCARDED');
  const isUnsure = mustNotRepeat(started) && !isUndone && !hasEnded;
  const { code, message } = wireError(thrown);
  const error = { code, message: isUnsure ? message + UNSURE : message };
  const isCancelled = failedWith(thrown, 'CANCELLED');
  return { outcome: { ok: false, error }, isCancelled, isUndone, thrown };
}

/**
 * The outcome of a process that was ended because the run was stopped: a model decides how to go on, with what the person then
 * says. Everything else is asked about or repeated when the run is resumed.
 */
function interruption(thrown: unknown, { prepared, context }: ToolCall): WireError | undefined {
  const { run, isForModel = false } = context.scope;
  const output = failedWith(thrown, 'CANCELLED') ? thrown.details.output : undefined;
  if (output === undefined || !isForModel || !run.signal.aborted) return undefined;
  const { tool } = prepared.operation;
  const isStopped = run.signal.reason !== 'deadline';
  return wireError(new AppError('TOOL_INTERRUPTED', { tool, output, isStopped }));
}

/** A request that was never sent, or files without their new content: each is replaced atomically. */
async function changedNothing(thrown: unknown, { effects }: ToolFacts): Promise<boolean> {
  if (effects.length === 0) return neverSent(thrown);
  const now = await Promise.all(effects.map(({ path }) => stateAt(path).catch(() => undefined)));
  return effects.every(({ after }, i) => after === null || now[i] !== after);
}

const UNSURE = ' It may have taken effect. Check before retrying.';
