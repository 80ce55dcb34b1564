import { relative, sep } from 'node:path';

/** True if `path` is `root` or lies below it; both absolute and normalised. */
export const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** A path as capsules, rules and people see it: relative to the workspace, with `/`; the workspace itself is `.`. */
export const shownPath = (workspace: string, path: string): string =>
  relative(workspace, path).split(sep).join('/') || '.';
