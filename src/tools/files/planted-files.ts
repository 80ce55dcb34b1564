import { AppError } from '../../contract/errors.ts';
import type { ProtectedPath } from '../../runtime/sandbox/protect/protected-path.ts';
import {
  type Aftermath,
  type QuarantinedFiles,
  quarantineNewFiles,
} from '../../runtime/sandbox/protect/quarantine-new-files.ts';
import type { ToolCall } from '../define/call.ts';
import type { ToolContext } from '../define/tool.ts';
import { shownPath } from './paths.ts';

/** By workspace: of a process of which not all could be taken away again. */
const unfinished = new Map<string, Aftermath>();

/**
 * Takes away what an earlier process left, where that could not be done then: what it planted would count as the person's.
 * What was made since is the person's.
 *
 * @returns What the capsule should know of it; undefined where there was none.
 * @throws AppError `PLANTED_FILES_LEFT`.
 */
export async function takeAwayLeft(call: ToolCall): Promise<string | undefined> {
  const left = unfinished.get(call.context.workspace);
  return left && takeAway(left, call);
}

/**
 * Takes away the protected files that a process made, which has ended however it did, and tells the person.
 *
 * @param before What was protected when it was started.
 * @returns What the capsule should know of it; undefined where there was none.
 * @throws AppError `PLANTED_FILES_LEFT` where something was left, or could not be looked for.
 */
export const takeAwayMade = (
  before: readonly ProtectedPath[],
  call: ToolCall,
): Promise<string | undefined> => {
  // The clock of files may be finer.
  const endedMs = Date.now() + 1;
  unfinished.set(call.context.workspace, { before, endedMs });
  return takeAway({ before }, call);
};

/** What no process may touch. */
export const closedIn = ({ context }: ToolCall): ToolContext['isProtected'] =>
  context.isClosedToProcesses ?? context.isProtected;

/** The same object of functions for all calls, which saves looking again. */
export const searchOf = (call: ToolCall) => ({
  workspace: call.context.workspace,
  isProtected: closedIn(call),
  isGitConfig: call.context.isGitConfig,
});

async function takeAway(aftermath: Aftermath, call: ToolCall): Promise<string | undefined> {
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
  return `A command made protected files, which no command may write; they were taken out of the workspace again (to ${folders.join(', ')}): ${names}${more > 0 ? ` and ${more} more` : ''}.`;
}
