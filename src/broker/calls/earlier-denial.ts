import { resolve } from 'node:path';
import type { Approval } from '../../contract/approval.ts';
import type { Operation } from '../../contract/permissions/operation.ts';
import { shownPath } from '../../platform/files/inside.ts';
import { operationIn } from '../../tools/define/tool.ts';
import { resolveExisting } from '../../tools/files/paths.ts';
import { namedContent } from '../changes/workspace/named-content.ts';
import { namedPaths } from '../changes/workspace/named-files.ts';
import type { ListedApproval } from '../questions/approval-store.ts';
import type { CallContext } from './parts.ts';

/** The part of a question about an earlier denial for the same file. */
export interface EarlierDenial {
  readonly sentence: string;
  /** The question that was denied, with its details. */
  readonly details: string;
}

const MAX_DETAILS_CHARS = 400;
const MAX_DENIALS = 20;

/**
 * The newest denial about a file that this call would also change, with any tool. Commands are compared by the paths that
 * their words name.
 *
 * @param denials Questions of the run that a person denied, oldest first.
 */
export async function earlierDenial(
  operation: Operation,
  context: CallContext,
  denials: readonly ListedApproval[],
): Promise<EarlierDenial | undefined> {
  const { parts } = context;
  const paths = await touchedPaths(operation, context);
  if (paths.size === 0) return undefined;
  for (const denial of denials.slice(-MAX_DENIALS).reverse()) {
    const earlier = operationIn(parts.journal.textsOf(denial.intentId ?? '')?.request, parts.tools);
    const theirs = earlier && (await touchedPaths(earlier, context));
    const same = [...paths].find((path) => theirs?.has(path));
    const question = same && parts.approvals.find(denial.id);
    if (question) return describe(question, shownPath(context.scope.run.workspace, same));
  }
  return undefined;
}

/** Absolute paths that an operation writes, and those that its command names, whether or not they exist. */
async function touchedPaths(
  { paths, command }: Operation,
  { scope, parts }: CallContext,
): Promise<ReadonlySet<string>> {
  const { workspace } = scope.run;
  const written = paths
    .filter(({ access }) => access === 'write')
    .map(({ path }) => resolveExisting(resolve(workspace, path)));
  if (!command) return new Set(written);
  const found = await namedContent(command, workspace);
  const { files, missing } = await namedPaths(
    command,
    { workspace, isProtected: parts.surroundings.isProtected },
    { files: new Map(), ignored: [] },
  );
  return new Set([...written, ...found.map(({ path }) => path), ...files, ...missing]);
}

function describe({ operation, question, details, note }: Approval, path: string): EarlierDenial {
  const said = note ? `, saying "${note}"` : '';
  const shown =
    details.length > MAX_DETAILS_CHARS ? `${details.slice(0, MAX_DETAILS_CHARS)}…` : details;
  return {
    sentence: `You denied ${operation} of the same file before (${path})${said}.`,
    details: `\n\nDenied before: ${question}\n${shown}`,
  };
}
