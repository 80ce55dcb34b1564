import { AppError } from '../contract/errors.ts';
import type { ToolContext } from './tool.ts';

/** How far one call of one tool may go. */
export interface Reach {
  readonly tool: string;
  readonly context: ToolContext;
}

/** The failure of a call that a capsule can work with. */
export const failure = (reach: Reach, problem: string, cause?: unknown): AppError =>
  new AppError('TOOL_FAILED', { tool: reach.tool, problem }, { cause });

/** @throws AppError `CANCELLED` where the call was aborted. */
export function assertGoingOn({ tool, context }: Reach): void {
  if (context.signal.aborted) throw new AppError('CANCELLED', { what: `A call of ${tool}` });
}

/** The `code` of a failed system call: `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
