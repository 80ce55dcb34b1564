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
export function changedFile(shown: readonly FileEffect[], now: ToolFacts): string | undefined {
  const files = filesOf(now) ?? [];
  const isOther = ({ path, before, after, changes }: FileEffect) => {
    const one = shown.find((file) => file.path === path);
    if (one?.before !== before || `${one.changes}` !== `${changes}`) return true;
    return changes === undefined && one.after !== after;
  };
  const isGone = ({ path }: FileEffect) => !files.some((file) => file.path === path);
  return (files.find(isOther) ?? shown.find(isGone))?.path;
}

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
    const { effects, reads = [] } = facts;
    if (effects.length === 0) return facts;
    const isBound = ({ access, isProtected }: PathFacts, at: number) =>
      !(access === 'write' || isProtected || paths[at]?.subtree);
    const read = new Set([
      ...facts.paths.filter(isBound).map(({ realPath }) => realPath),
      ...reads,
    ]);
    for (const { path } of effects) read.delete(path);
    const named: FileEffect[] = [];
    for (const path of read) {
      const { state: before } = await inspectFile(path);
      named.push({ path, before, after: null, diff: null, isNamed: true });
    }
    return named.length > 0 ? { ...facts, named } : facts;
  }
  const { namedContent } = await import('../../changes/workspace/named-content.ts');
  return { ...facts, named: await namedContent(command, run.workspace) };
}

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
export async function recheckFiles(call: ToolCall): Promise<Refusal | undefined> {
  const { prepared, facts, context } = call;
  // A file that matches a glob may be new.
  const { reads } = facts.reads
    ? await import('./preview-change.ts').then((module) => module.withPreviewOf(call, facts))
    : facts;
  const now = await bindFiles(prepared.operation, { ...facts, reads }, context.scope);
  const changed = changedFile(filesOf(facts) ?? [], now);
  if (changed === undefined) return undefined;
  const name = shownPath(facts.workspace, changed);
  return outdated(`"${name}" changed while the approved call waited.`);
}
