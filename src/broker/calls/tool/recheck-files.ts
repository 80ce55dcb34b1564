import { shownPath } from '../../../platform/files/inside.ts';
import type { Refusal } from '../../../policy/decide/decision.ts';
import { changedFile } from '../../intent/record.ts';
import type { ToolCall } from './tool-call.ts';
import { bindFiles, filesOf } from './tool-facts.ts';

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
  const changed = changedFile(filesOf(facts), filesOf(now));
  if (changed === undefined) return undefined;
  const name = shownPath(facts.workspace, changed);
  return outdated(`"${name}" changed while the approved call waited.`);
}
