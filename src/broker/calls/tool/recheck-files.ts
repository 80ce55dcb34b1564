import type { Operation } from '../../../contract/permissions/operation.ts';
import { shownPath } from '../../../platform/files/inside.ts';
import type { Refusal } from '../../../policy/decide/decision.ts';
import type { PathFacts } from '../../../policy/decide/tool-call-facts.ts';
import { inspectFile } from '../../../tools/files/path-state.ts';
import type { FileEffect } from '../../intent/record.ts';
import type { AttemptScope } from '../../intent/scope.ts';
import type { ToolCall } from './tool-call.ts';
import { filesOf, type ToolFacts } from './tool-facts.ts';

/**
 * A file whose current or planned content differs from `shown`; undefined if there is none. Of a database, the changes are
 * compared: each trial of its statements may have another time or random number in it.
 */
export const changedFile = (shown: readonly FileEffect[], now: ToolFacts): string | undefined =>
  filesOf(now)?.find(({ path, before, after, changes }) => {
    const one = shown.find((file) => file.path === path);
    if (one?.before !== before || `${one.changes}` !== `${changes}`) return true;
    return changes === undefined && one.after !== after;
  })?.path;

/**
 * The same facts with the content that an approval by a person is bound to: of the files that a command names, or that a
 * change reads.
 */
export async function bindFiles(
  { command, paths }: Operation,
  facts: ToolFacts,
  { run }: AttemptScope,
): Promise<ToolFacts> {
  if (!command) {
    const { effects } = facts;
    const isBound = ({ access, isProtected, realPath }: PathFacts, at: number) =>
      !(access === 'write' || isProtected || paths[at]?.subtree) &&
      !effects.some(({ path }) => path === realPath);
    const read = effects.length > 0 ? facts.paths.filter(isBound) : [];
    return read.length > 0 ? { ...facts, named: await Promise.all(read.map(named)) } : facts;
  }
  const { namedContent } = await import('../../changes/workspace/named-content.ts');
  return { ...facts, named: await namedContent(command, run.workspace) };
}

const named = async ({ realPath: path }: PathFacts): Promise<FileEffect> => {
  const { state: before } = await inspectFile(path);
  return { path, before, after: null, diff: null, isNamed: true };
};

/** An approval that no longer covers the call: it fails, and nobody denied it. */
export const outdated = (sentence: string): Refusal => ({
  approved: false,
  step: 6,
  rule: 'file_changed',
  reason: 'denied',
  sentence,
  isOutdated: true,
});

/** The refusal of a call that a person approved, if a file that it is bound to changed while it waited for its turn. */
export async function recheckFiles({
  prepared,
  facts,
  context,
}: ToolCall): Promise<Refusal | undefined> {
  const now = await bindFiles(prepared.operation, facts, context.scope);
  const changed = changedFile(filesOf(facts) ?? [], now);
  if (changed === undefined) return undefined;
  const name = shownPath(facts.workspace, changed);
  return outdated(`"${name}" changed while the approved call waited.`);
}
