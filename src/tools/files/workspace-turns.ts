import type { ToolContext } from '../define/tool.ts';

/**
 * The turns that exclude each other in a workspace. `read` and `write` are processes: what is hidden from a process is found
 * before it starts, and one that writes could move it meanwhile. `change` is a file that a tool writes. `bound` is a command
 * that a person approved for the content of files, and `bound-change` one that a file is written for, too.
 */
const EXCLUDED = {
  read: ['write'],
  write: ['read', 'write'],
  change: ['bound', 'bound-change'],
  bound: ['change', 'bound-change'],
  'bound-change': ['change', 'bound', 'bound-change'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type TurnKind = keyof typeof EXCLUDED;

interface Turn {
  readonly kind: TurnKind;
  readonly ended: Promise<void>;
}

/** The turns of each workspace that have not ended. */
const byWorkspace = new Map<string, Set<Turn>>();

/**
 * Waits for a turn in the workspace: until all earlier turns that it excludes have ended, also those that wait. Aborting
 * ends the wait.
 *
 * @returns Ends the turn.
 */
export async function takeTurn(
  kind: TurnKind,
  { workspace, signal }: Pick<ToolContext, 'workspace' | 'signal'>,
): Promise<() => void> {
  if (signal.aborted) return () => {};
  const turns = byWorkspace.get(workspace) ?? new Set();
  byWorkspace.set(workspace, turns);
  const excluded: readonly TurnKind[] = EXCLUDED[kind];
  const begun = Promise.all(
    [...turns].filter((one) => excluded.includes(one.kind)).map(({ ended }) => ended),
  );
  let end = () => {};
  const own = new Promise<void>((resolve) => {
    end = resolve;
  });
  // A turn that is cancelled while it waits keeps its place.
  const ended = Promise.all([own, begun]).then(() => {
    turns.delete(turn);
    if (turns.size === 0) byWorkspace.delete(workspace);
  });
  const turn: Turn = { kind, ended };
  turns.add(turn);
  signal.addEventListener('abort', end);
  await Promise.race([begun, own]);
  signal.removeEventListener('abort', end);
  if (signal.aborted) end();
  return end;
}
