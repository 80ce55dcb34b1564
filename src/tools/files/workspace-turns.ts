import type { Access } from '../../contract/permissions/operation.ts';
import type { ToolContext } from '../define/tool.ts';

/** The turns of one workspace that have not ended. A new turn waits for the last writer or, to write, for all of them. */
interface Turns {
  readonly all: Set<Promise<void>>;
  lastWrite: Promise<void> | undefined;
}

const byWorkspace = new Map<string, Turns>();

/**
 * Waits until a process may start in the workspace, in the order of the calls: any number that read, or one that writes.
 * What is hidden from a process is found before it starts, and a writer could move it meanwhile. Aborting ends the wait.
 *
 * @returns Ends the turn.
 */
export async function takeTurn(
  access: Access,
  { workspace, signal }: Pick<ToolContext, 'workspace' | 'signal'>,
): Promise<() => void> {
  const turns = byWorkspace.get(workspace) ?? { all: new Set(), lastWrite: undefined };
  byWorkspace.set(workspace, turns);
  const begun = access === 'write' ? Promise.all(turns.all) : turns.lastWrite;
  let end = () => {};
  const own = new Promise<void>((resolve) => {
    end = resolve;
  });
  // A turn that is cancelled while it waits keeps its place.
  const ended = Promise.all([own, begun]).then(() => {
    turns.all.delete(ended);
    if (turns.all.size === 0) byWorkspace.delete(workspace);
  });
  turns.all.add(ended);
  if (access === 'write') turns.lastWrite = ended;
  signal.addEventListener('abort', end);
  await Promise.race([begun, own]);
  signal.removeEventListener('abort', end);
  if (signal.aborted) end();
  return end;
}
