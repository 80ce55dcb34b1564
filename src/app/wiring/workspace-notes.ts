import { readTrustedFile } from '../../config/project-files.ts';
import type { Project } from '../../config/settings.ts';

/** More of it is not shown to capsules, in characters. */
const MOST_CHARS = 16_000;

/**
 * The text of a project's `AGENTS.md`, as far as the person trusts it as it is now. It is shown to capsules as data: it
 * says how things are done here, and orders nothing.
 */
export function workspaceNotes(project: Project | undefined): string | undefined {
  const text = project && readTrustedFile(project, 'AGENTS.md')?.toString('utf8').trim();
  if (!text) return undefined;
  if (text.length <= MOST_CHARS) return text;
  return `${text.slice(0, MOST_CHARS)}\n[cut: ${MOST_CHARS} of ${text.length} characters are shown]`;
}
