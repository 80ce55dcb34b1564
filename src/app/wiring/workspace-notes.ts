import { readTrustedFile } from '../../config/project/project-files.ts';
import type { Project } from '../../config/settings.ts';

/** Capsules get at most this many characters. */
const MAX_CHARS = 16_000;

/**
 * The text of a project's `AGENTS.md`, if the person trusts its current content. Capsules get it as data: it describes
 * the workspace and gives no instructions.
 */
export function workspaceNotes(project: Project): string | undefined {
  const text = readTrustedFile(project, 'AGENTS.md')?.toString('utf8').trim();
  if (!text) return undefined;
  if (text.length <= MAX_CHARS) return text;
  return `${text.slice(0, MAX_CHARS)}\n[cut: ${MAX_CHARS} of ${text.length} characters are shown]`;
}
