import type { Access } from '../../contract/operation.ts';
import { type ToolCall, throwIfAborted } from '../define/call.ts';

interface Turns {
  readonly workspace: string;
  readers: number;
  isWritten: boolean;
  /** In the order of asking. */
  waiting: readonly Waiting[];
}

interface Waiting {
  readonly access: Access;
  readonly begin: () => void;
}

/** By workspace; only those where something runs or waits. */
const inUse = new Map<string, Turns>();

/**
 * Waits until a process may be started in the workspace: any number of those that read, or one that writes. What is hidden
 * from a process is found before it starts, and one that writes could move it meanwhile.
 *
 * @returns What ends the turn.
 * @throws AppError `CANCELLED`.
 */
export async function takeTurn(access: Access, call: ToolCall): Promise<() => void> {
  const { workspace, signal } = call.context;
  const turns = inUse.get(workspace) ?? { workspace, readers: 0, isWritten: false, waiting: [] };
  inUse.set(workspace, turns);
  const hasBegun = await turnOf(turns, access, signal);
  const end = () => {
    if (access === 'write') turns.isWritten = false;
    else turns.readers -= 1;
    goOn(turns);
  };
  // Between the beginning of a turn and here, the call may have been cancelled.
  if (hasBegun && signal.aborted) end();
  throwIfAborted(call);
  return end;
}

/** True when the turn has begun; false where it never will, since the signal was aborted. */
function turnOf(turns: Turns, access: Access, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const leave = () => {
      turns.waiting = turns.waiting.filter((one) => one !== waiting);
      resolve(false);
      goOn(turns);
    };
    const begin = () => {
      signal.removeEventListener('abort', leave);
      if (access === 'write') turns.isWritten = true;
      else turns.readers += 1;
      resolve(true);
    };
    const waiting = { access, begin };
    turns.waiting = [...turns.waiting, waiting];
    signal.addEventListener('abort', leave);
    goOn(turns);
  });
}

/** Begins whatever may begin, the longest waiting first; nobody is passed. */
function goOn(turns: Turns): void {
  for (;;) {
    const [first, ...rest] = turns.waiting;
    if (first === undefined || turns.isWritten) break;
    if (first.access === 'write' && turns.readers > 0) break;
    turns.waiting = rest;
    first.begin();
  }
  const isIdle = turns.waiting.length === 0 && turns.readers === 0 && !turns.isWritten;
  if (isIdle) inUse.delete(turns.workspace);
}
