import { AppError } from '../../contract/errors.ts';
import { shownPath } from '../../platform/files/inside.ts';
import type { ProtectedPath } from '../../runtime/sandbox/protect/protected-path.ts';
import {
  type Aftermath,
  type QuarantinedFiles,
  quarantineNewFiles,
} from '../../runtime/sandbox/protect/quarantine-new-files.ts';
import type { ToolCall } from '../define/call.ts';
import type { ToolContext } from '../define/tool.ts';

/** By workspace: processes whose created files could not all be quarantined. */
const unfinished = new Map<string, Aftermath>();

/**
 * Quarantines protected files that an earlier process created, if that failed then: otherwise they would count as the
 * person's. Files created since then are the person's.
 *
 * @returns A notice for the capsule; undefined if there were none.
 * @throws AppError `PLANTED_FILES_LEFT`.
 */
export async function quarantineLeft(call: ToolCall): Promise<string | undefined> {
  const left = unfinished.get(call.context.workspace);
  return left && quarantine(left, call);
}

/**
 * Quarantines the protected files that a process created, and tells the person. The process has ended.
 *
 * @param before What was protected when it was started.
 * @returns A notice for the capsule; undefined if there were none.
 * @throws AppError `PLANTED_FILES_LEFT` if files were left, or the search failed.
 */
export const quarantineCreated = (
  before: readonly ProtectedPath[],
  call: ToolCall,
): Promise<string | undefined> => {
  // File times may be finer than this clock.
  const endedMs = Date.now() + 1;
  unfinished.set(call.context.workspace, { before, endedMs });
  return quarantine({ before }, call);
};

/** What processes may not touch. */
export const closedIn = ({ context }: ToolCall): ToolContext['isProtected'] =>
  context.isClosedToProcesses ?? context.isProtected;

export const searchOf = (call: ToolCall) => ({
  workspace: call.context.workspace,
  isProtected: closedIn(call),
  isGitConfig: call.context.isGitConfig,
});

async function quarantine(aftermath: Aftermath, call: ToolCall): Promise<string | undefined> {
  const { tool, context } = call;
  const { workspace } = context;
  const taken = await quarantineNewFiles(aftermath, searchOf(call));
  const notice = taken && takenSentence(taken, workspace);
  if (taken !== undefined && taken.problems.length > 0) {
    const problems = taken.problems.join('; ');
    const left = { tool, workspace, problems, ...(notice && { notice }) };
    const error = new AppError('PLANTED_FILES_LEFT', left);
    context.notice?.(error.message);
    throw error;
  }
  unfinished.delete(workspace);
  if (notice) context.notice?.(notice);
  return notice;
}

function takenSentence(
  { paths, count, folders }: QuarantinedFiles,
  workspace: string,
): string | undefined {
  if (count === 0) return undefined;
  const more = count - paths.length;
  const names = paths.map((path) => shownPath(workspace, path)).join(', ');
  return `A command created protected files, which no command may write. They were moved out of the workspace to ${folders.join(', ')}: ${names}${more > 0 ? ` and ${more} more` : ''}.`;
}
