import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LandlockRule } from '../landlock/landlock-rule.ts';
import type { ProtectedPath } from './protected-path.ts';

const hidden: ReadonlySet<ProtectedPath['how']> = new Set([
  'hidden file',
  'hidden folder',
  // Landlock can't show another content.
  'copied',
  'channel',
]);

/**
 * What Landlock is to allow in a workspace, where a rule can only add to what the folder around it has: a folder that
 * holds something protected is listed, and each of its other entries is allowed by itself.
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
