import { escapeText } from '../../contract/text/escape-text.ts';
import { walk } from '../../tools/file-io/walk/walk.ts';

const MAX_PATHS = 20_000;
const MAX_MS = 500;

const neverListed = /(?:^|\/)(?:\.git|node_modules)$/;

/**
 * The files and folders of a workspace that its ignore files do not exclude, nearest first; folders end with a slash. Names
 * with invisible characters, and folders that can't be read, are left out. The list ends after 500 ms, and at ignore files
 * that are too long. Never throws.
 *
 * @param workspace Absolute, symbolic links resolved.
 */
export async function workspacePaths(workspace: string): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(MAX_MS);
  const context = { workspace, isProtected: () => false, signal };
  const paths: string[] = [];
  try {
    for await (const { path, kind } of walk('.', NEAREST_FIRST, { tool: 'paths', context })) {
      if (neverListed.test(path) || escapeText(path) !== path) continue;
      paths.push(kind === 'folder' ? `${path}/` : path);
      if (paths.length === MAX_PATHS) break;
    }
  } catch {}
  return paths;
}

const NEAREST_FIRST = {
  recursive: true,
  everything: false,
  isSized: false,
  isNearestFirst: true,
};
