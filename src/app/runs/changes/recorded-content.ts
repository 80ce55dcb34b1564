import { type FileEffect, fileEffectsOf } from '../../../broker/intent/record.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { applyTextDiff } from '../../../platform/text/text-diff.ts';
import { ABSENT } from '../../../tools/files/path-state.ts';

/**
 * The content of a file after a run, made from its content before and the recorded differences; undefined if a program changed
 * it, or a difference was not recorded in full.
 *
 * @param file `before`: undefined if there was no file. `after`: SHA-256.
 */
export function recordedContent(
  { path, before, after }: { path: string; before: Buffer | undefined; after: string },
  effects: readonly FileEffect[],
): Buffer | undefined {
  const content = effects.filter((effect) => effect.path === path).reduce(applied, before);
  return content && sha256(content) === after ? content : undefined;
}

/** The recorded changes of files by a run. */
export const recordedEffects = (runId: string, journal: Stores['journal']): FileEffect[] =>
  journal
    .pickWithoutOutcomes(runId, (intent) => (intent.status === 'done' ? fileEffectsOf(intent) : []))
    .flat();

/** Skips a change of another content than this. */
function applied(content: Buffer | undefined, { before, after, diff }: FileEffect) {
  const state = content === undefined ? ABSENT : sha256(content);
  if (before !== state || diff === null) return content;
  const made = applyTextDiff(content?.toString('utf8') ?? '', diff);
  return after === ABSENT || made === undefined ? undefined : Buffer.from(made);
}
