import { relative } from 'node:path';
import type { ProtectedPath } from '../../runtime/sandbox/protect/protected-path.ts';
import type { EndedProcess } from './read-only-note.ts';

const MAX_NAMES = 3;
const MAX_COMMAND_CHARS = 4_096;

/** Names protected files that a command could not see and that its output mentions, if it failed or is `git status`, to which they look changed. */
export function hiddenFileHint(
  { argv, exit_code, stdout, stderr }: EndedProcess,
  covered: readonly ProtectedPath[],
  workspace: string,
): string | undefined {
  const command = argv.join(' ').slice(0, MAX_COMMAND_CHARS);
  const isGit = /(?:^|[\s/])git\s/.test(command);
  if (exit_code === 0 && !(isGit && command.includes('status'))) return undefined;
  const words = new Set(`${stderr}\n${stdout}`.split(/[\s'":]+/));
  const names = covered
    .filter(({ how }) => how === 'hidden file')
    .map(({ path }) => relative(workspace, path))
    .filter((name) => words.has(name));
  if (names.length === 0) return undefined;
  const shown = names.slice(0, MAX_NAMES).map((name) => `"${name}"`);
  const cause = `Commands can't see the content of ${shown.join(', ')}: protected.`;
  return isGit
    ? `${cause} To Git it looks changed; name the other paths: git commit -m … -- PATHS.`
    : cause;
}
