import { join } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import { type Capsule, MAX_OVERLAY_BYTES } from '../../../registry/capsule-store.ts';
import { lintCapsule } from '../../../registry/overlay/lint-overlay.ts';
import { toolbox } from '../../../tools/toolbox.ts';
import { type LoadedCapsules, readSkills } from '../load-capsules.ts';

/** The path of the user's overlay of a capsule. */
export const overlayPath = ({ personal }: LoadedCapsules, { id, dir, origin }: Capsule): string =>
  origin === 'project' ? join(dir, 'skill.md') : join(personal, id, 'skill.md');

/** A capsule with another overlay, which is not saved. @throws AppError `OVERLAY_INVALID` if it is too long. */
export function withDraft(loaded: LoadedCapsules, capsule: Capsule, text: string): Capsule {
  const path = overlayPath(loaded, capsule);
  assertLength(text, path);
  return { ...capsule, overlay: { path, text } };
}

export function assertLength(text: string, path: string): void {
  if (Buffer.byteLength(text) <= MAX_OVERLAY_BYTES) return;
  const problem = `it is longer than ${MAX_OVERLAY_BYTES} bytes. Shorten it.`;
  throw new AppError('OVERLAY_INVALID', { path, problem });
}

/** The findings in the overlay of a capsule. */
export async function lintDraft(loaded: LoadedCapsules, capsule: Capsule) {
  const path = capsule.overlay?.path ?? '';
  const skills = (await readSkills(loaded, capsule)).list();
  const findings = lintCapsule({ capsule, skills, tools: [...toolbox.keys()] });
  return findings.filter(({ where }) => where === path || where.startsWith(`${path}:`));
}
