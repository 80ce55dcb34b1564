import { AppError } from '../../../contract/errors.ts';
import type { TouchedPath } from '../../../contract/permissions/operation.ts';
import { MAX_ATTEMPT_BYTES, reserveBytes } from '../../../platform/byte-budget.ts';
import type { Consent, Refusal } from '../../../policy/decide/decision.ts';
import { shownPath } from '../../../tools/files/paths.ts';
import { takeTurn } from '../../../tools/files/workspace-turns.ts';
import { maxOutputBytes } from './perform-tool.ts';
import type { ToolCall } from './tool-call.ts';
import { bindFiles, changedFile, filesOf, isFolder } from './tool-facts.ts';

/** An approval that no longer covers the call: it fails, and nobody denied it. */
export const outdated = (sentence: string): Refusal => ({
  approved: false,
  step: 6,
  rule: 'file_changed',
  reason: 'denied',
  sentence,
  isOutdated: true,
});

/** The refusal of a command that a person approved, if a file that it names changed while it waited for its turn. */
export async function recheckFiles({
  prepared,
  facts,
  context,
}: ToolCall): Promise<Refusal | undefined> {
  const now = await bindFiles(prepared.operation, facts, context.scope);
  const changed = changedFile(filesOf(facts) ?? [], now);
  if (changed === undefined) return undefined;
  const name = shownPath(facts.workspace, changed);
  return outdated(`"${name}" changed while the approved command waited.`);
}

/**
 * A command waits for its turn in the workspace. Every call waits until its share of the memory for results is free and
 * the capsule has read earlier results. A write and a command that a person approved for the content of files exclude each other.
 *
 * @throws AppError `CANCELLED` if the attempt ends while the call waits.
 */
export async function waitForStart(
  call: ToolCall,
  { isByPerson }: Consent,
): Promise<(() => void) | undefined> {
  const { command } = call.prepared.operation;
  const { scope, parts } = call.context;
  const turn = { workspace: scope.run.workspace, signal: scope.signal };
  const isBound = isByPerson === true && call.facts.named !== undefined;
  const isProcess = command !== undefined && parts.isolation !== 'none';
  const ends: ((() => void) | undefined)[] = [];
  if (isProcess) ends.push(await takeTurn(command.access, turn));
  if (isBound) ends.push(await takeTurn('write', turn, 'approved'));
  else if (call.facts.paths.some(isWrite)) ends.push(await takeTurn('read', turn, 'approved'));
  ends.push(await reserveResultBytes(call));
  const leave = () => {
    for (const end of ends) end?.();
  };
  if (!scope.ending.aborted) return leave;
  leave();
  throw new AppError('CANCELLED', { what: call.intent.name });
}

const isWrite = ({ access }: TouchedPath): boolean => access === 'write';

async function reserveResultBytes(call: ToolCall) {
  const { tally, signal, waitForReader } = call.context.scope;
  const bytes = heldBytes(call);
  for (;;) {
    const release = await reserveBytes({ attempt: tally, bytes, signal });
    const read = signal.aborted ? undefined : waitForReader?.();
    if (read === undefined) return release;
    // The concurrency slot is free for others until the earlier results are read.
    release();
    await read;
  }
}

/** The memory for the output of a process as a multiple of its result: two streams, and their escaped text. */
const HELD_BY_PROCESS = 4;
const MAX_PROCESS_BYTES = 1024 * 1024;
/** As a multiple of a result of rows: their text, and an object for each row. */
const HELD_BY_ROWS = 2;
/** The answer of an HTTP request is read whole, whatever its result shows. */
const EXCHANGE_BYTES = 512 * 1024;

/** The memory of a call until its result is sent, in bytes. */
function heldBytes({ prepared: { operation }, facts, context }: ToolCall): number {
  const result = maxOutputBytes(context);
  if (operation.tool === 'sql_query') return HELD_BY_ROWS * result;
  if (operation.command) return Math.min(HELD_BY_PROCESS * result, MAX_PROCESS_BYTES);
  if (operation.url) return Math.max(result, EXCHANGE_BYTES);
  // The entries of a folder need more memory than the result: one walk at a time.
  const isWalk = facts.paths.some(({ realPath }) => isFolder(realPath));
  return isWalk || facts.effects.length > 0 ? MAX_ATTEMPT_BYTES : result;
}
