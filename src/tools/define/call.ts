import { AppError } from '../../contract/errors.ts';
import type { ToolContext } from './tool.ts';

/** What functions on files use of a tool's context. */
export type FileContext = Pick<
  ToolContext,
  'workspace' | 'signal' | 'isProtected' | 'isGitConfig' | 'isGranted' | 'expected'
>;

/** Who works on files, and with which limits. */
export interface FileCall {
  /** Named in failures: `file_io`, `undo`. */
  readonly tool: string;
  readonly context: FileContext;
}

/** One call of one tool, and its limits. */
export interface ToolCall extends FileCall {
  readonly context: ToolContext;
}

/** The failure of a call that a capsule can work with. */
export const failure = (call: Pick<FileCall, 'tool'>, problem: string, cause?: unknown): AppError =>
  new AppError('TOOL_FAILED', { tool: call.tool, problem }, { cause });

/** @throws AppError `CANCELLED` where the call was aborted. */
export function throwIfAborted({ tool, context }: FileCall): void {
  if (context.signal.aborted) throw new AppError('CANCELLED', { what: `A call of ${tool}` });
}

/** The `code` of a failed system call: `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
