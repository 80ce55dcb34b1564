import { AppError, messageOf } from '../../contract/errors.ts';
import { withDeadline } from '../../platform/with-deadline.ts';
import type { ToolContext } from './tool.ts';

/** The part of a tool's context that functions on files use. */
export type FileContext = Pick<
  ToolContext,
  'workspace' | 'signal' | 'isProtected' | 'isGitConfig' | 'isGranted' | 'expected' | 'planned'
>;

/** A call that works on files. */
export interface FileCall {
  /** Named in errors: `file_io`, `undo`. */
  readonly tool: string;
  readonly context: FileContext;
}

export interface ToolCall extends FileCall {
  readonly context: ToolContext;
}

/** An error for the capsule. */
export const failure = (call: Pick<FileCall, 'tool'>, problem: string, cause?: unknown): AppError =>
  new AppError('TOOL_FAILED', { tool: call.tool, problem }, { cause });

/** For `catch`: says what failed, and why. */
export const failing =
  (call: Pick<FileCall, 'tool'>, what: string) =>
  (error: unknown): never => {
    throw failure(call, `${what}: ${messageOf(error)}`, error);
  };

/** @throws AppError `CANCELLED` if the call was aborted. */
export function throwIfAborted({ tool, context }: FileCall): void {
  if (context.signal.aborted) throw new AppError('CANCELLED', { what: `A call of ${tool}` });
}

/**
 * Runs work that ends when its signal aborts, within the time limit of the call.
 *
 * @throws AppError `TOOL_TIMED_OUT`, `CANCELLED`, and the errors of the work.
 */
export async function inTime<T>(
  call: ToolCall,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { tool, context } = call;
  const { signal, timeoutMs } = context;
  let own = signal;
  try {
    return await withDeadline(signal, timeoutMs, (bounded) => {
      own = bounded;
      return work(bounded);
    });
  } catch (error) {
    throwIfAborted(call);
    const isReason = error instanceof AppError && error.code !== 'CANCELLED';
    throw own.aborted && !isReason ? new AppError('TOOL_TIMED_OUT', { tool, timeoutMs }) : error;
  }
}

/** The result of work; rejects once the signal aborts, also if the work goes on. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
