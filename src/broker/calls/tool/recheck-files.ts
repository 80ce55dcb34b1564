import { shownPath } from '../../../platform/files/inside.ts';
import type { Refusal } from '../../../policy/decide/decision.ts';
import type { ToolCall } from './tool-call.ts';
import { bindFiles, changedFile, filesOf } from './tool-facts.ts';

/** An approval that no longer covers the call: it fails, and nobody denied it. */
export const outdated = (sentence: string): Refusal => ({
  approved: false,
  step: 6,
  rule: 'file_changed',
  reason: 'denied',
  sentence,
  isOutdated: true,
});

/** The refusal of a command that a person approved, if a file that it names changed while it waited for its turn. */
export async function recheckFiles({
  prepared,
  facts,
  context,
}: ToolCall): Promise<Refusal | undefined> {
  const now = await bindFiles(prepared.operation, facts, context.scope);
  const changed = changedFile(filesOf(facts) ?? [], now);
  if (changed === undefined) return undefined;
  const name = shownPath(facts.workspace, changed);
  return outdated(`"${name}" changed while the approved command waited.`);
}
