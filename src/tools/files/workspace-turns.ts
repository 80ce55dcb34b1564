import type { Access } from '../../contract/permissions/operation.ts';
import type { ToolContext } from '../define/tool.ts';

/** The turns of one workspace that have not ended. A new turn waits for the last writer or, to write, for all of them. */
interface Turns {
  readonly all: Set<Promise<void>>;
  lastWrite: Promise<void> | undefined;
}

const byKey = new Map<string, Turns>();

/**
 * What the turns are about. `process`: what is hidden from a process is found before it starts, and a writer could move it
 * meanwhile. `approved`: a person approved a command for the content of files. It has a turn to write, so that nothing is
 * written meanwhile; each file that is written has a turn to read.
 */
type TurnKind = 'process' | 'approved';

/**
 * Waits for a turn in the workspace, in the order of the calls: any number that read, or one that writes. Aborting ends the
 * wait.
 *
 * @param kind Default: process.
 * @returns Ends the turn.
 */
export async function takeTurn(
  access: Access,
  { workspace, signal }: Pick<ToolContext, 'workspace' | 'signal'>,
  kind: TurnKind = 'process',
): Promise<() => void> {
  if (signal.aborted) return () => {};
  const key = `${kind}:${workspace}`;
  const turns = byKey.get(key) ?? { all: new Set(), lastWrite: undefined };
  byKey.set(key, turns);
  const begun = access === 'write' ? Promise.all(turns.all) : turns.lastWrite;
  let end = () => {};
  const own = new Promise<void>((resolve) => {
    end = resolve;
  });
  // A turn that is cancelled while it waits keeps its place.
  const ended = Promise.all([own, begun]).then(() => {
    turns.all.delete(ended);
    if (turns.all.size === 0) byKey.delete(key);
  });
  turns.all.add(ended);
  if (access === 'write') turns.lastWrite = ended;
  signal.addEventListener('abort', end);
  await Promise.race([begun, own]);
  signal.removeEventListener('abort', end);
  if (signal.aborted) end();
  return end;
}
