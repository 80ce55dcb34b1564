import { join } from 'node:path';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { FileCall, FileContext } from '../../../tools/define/call.ts';
import { type Entry, walk } from '../../../tools/file-io/walk/walk.ts';

/** The files of a workspace, outer folders first. */
export interface WorkspaceListing {
  /** `data/orders.csv (1204 bytes)`; `data/` for a folder whose files are not listed. */
  readonly names: readonly string[];
  readonly more: boolean;
}

const MAX_NAMES = 50;
const MAX_NAME = 120;
const MAX_DEPTH = 4;
/**
 * After this time, the listing is incomplete. The limit is high because a resumed run with another listing calls the model,
 * and asks for approval of its cost, a second time.
 */
const MAX_MS = 5_000;

const neverListed = /(?:^|\/)(?:\.git|node_modules)$/;

/**
 * Lists the workspace for the planner: names and sizes, without protected and ignored files. Names are untrusted text, so they
 * are escaped and cut. Never throws: unreadable folders are left out.
 *
 * @param workspace Absolute, symbolic links resolved.
 */
export async function listWorkspace(
  workspace: string,
  isProtected: FileContext['isProtected'],
): Promise<WorkspaceListing> {
  const signal = AbortSignal.timeout(MAX_MS);
  const call: FileCall = { tool: 'plan', context: { workspace, isProtected, signal } };
  let listed: readonly Entry[] = [];
  for (let depth = 1; depth <= MAX_DEPTH; depth += 1) {
    const deeper = await listTo(depth, call);
    if (depth > 1 && deeper.length > MAX_NAMES) return shown(listed, true);
    const isSame = deeper.length === listed.length;
    listed = deeper;
    if (isSame || signal.aborted) break;
  }
  return shown(listed.slice(0, MAX_NAMES), listed.length > MAX_NAMES || signal.aborted);
}

/** Files up to a depth, and the folders at that depth: at most one more than the limit. */
async function listTo(maxDepth: number, call: FileCall): Promise<readonly Entry[]> {
  const { workspace, isProtected } = call.context;
  const entries: Entry[] = [];
  try {
    for await (const entry of walk('.', { recursive: true, everything: false, maxDepth }, call)) {
      const isEntered = entry.kind === 'folder' && entry.path.split('/').length < maxDepth;
      if (isEntered || neverListed.test(entry.path)) continue;
      if (isProtected(join(workspace, entry.path), 'read')) continue;
      entries.push(entry);
      if (entries.length > MAX_NAMES) break;
    }
  } catch {}
  return entries;
}

const shown = (entries: readonly Entry[], more: boolean): WorkspaceListing => ({
  names: entries.map(({ path, kind, bytes }) => {
    const name = escapeText(path.length > MAX_NAME ? `${path.slice(0, MAX_NAME)}…` : path);
    return kind === 'folder' ? `${name}/` : `${name} (${bytes} bytes)`;
  }),
  more,
});
