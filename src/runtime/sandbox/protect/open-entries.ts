import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProtectedPath } from './protected-path.ts';

/** The access right of a process below a path. `list` shows names without contents. */
export type LandlockRule = readonly [path: string, right: 'read' | 'write' | 'list'];

const hidden: ReadonlySet<ProtectedPath['how']> = new Set([
  'hidden file',
  'hidden folder',
  // Landlock can't replace the content of a file.
  'copied',
  'channel',
]);

/**
 * The Landlock rules of a workspace. A rule can only add rights to those of the parent folder, so a folder that
 * contains a protected path is only listed, and each of its other entries gets its own rule.
 */
export function openEntries(
  workspace: string,
  access: 'read' | 'write',
  covered: readonly ProtectedPath[],
): LandlockRule[] {
  const how = new Map(covered.map((one) => [one.path, one.how]));
  const holders = new Set<string>();
  for (const { path } of covered)
    for (let above = dirname(path); above.startsWith(workspace); above = dirname(above)) {
      holders.add(above);
      if (above === workspace) break;
    }
  const rulesOf = (path: string): LandlockRule[] => {
    const covering = how.get(path);
    if (covering !== undefined && hidden.has(covering)) return [];
    if (!holders.has(path)) return [[path, covering === undefined ? access : 'read']];
    const inside = readdirSync(path).flatMap((name) => rulesOf(join(path, name)));
    return [[path, 'list'], ...inside];
  };
  return rulesOf(workspace);
}
