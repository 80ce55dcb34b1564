import { AppError } from '../../../contract/errors.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { Operation } from '../../../contract/permissions/operation.ts';
import { failPoint } from '../../../db/fail-point.ts';
import { MAX_ATTEMPT_BYTES, reserveForReader } from '../../../platform/byte-budget.ts';
import { shownPath } from '../../../platform/files/inside.ts';
import { wellFormed } from '../../../platform/text/well-formed.ts';
import type { Consent } from '../../../policy/decide/decision.ts';
import { tiersOf } from '../../../policy/decide/table.ts';
import { grantsPath } from '../../../policy/grants/grants.ts';
import { trustTierOf } from '../../../policy/limits/trust.ts';
import { keptBackBy } from '../../../policy/rules/rule-call.ts';
import type { ToolContext } from '../../../tools/define/tool.ts';
import { isFolder, publishedHash } from '../../../tools/files/path-state.ts';
import { type TurnKind, takeTurn } from '../../../tools/files/workspace-turns.ts';
import type { OpenChange } from '../../changes/change-recorder.ts';
import { notedFiles } from '../../intent/file-ledger.ts';
import { aboutIntent, isEffect, mustNotRepeat, noteDiscarded } from '../../intent/record.ts';
import type { Performed } from '../call.ts';
import { serviceCost, serviceFailure } from '../http/http-payment.ts';
import { notice } from '../notice.ts';
import type { BrokerParts, CallContext } from '../parts.ts';
import { createTextSender } from '../send-text.ts';
import { processEnd } from './command-end.ts';
import { type Ended, endedByError } from './ended-call.ts';
import type { ToolCall, ToolOutcome } from './tool-call.ts';
import type { ToolFacts } from './tool-facts.ts';

/** The largest result for a model, in bytes: about 4,000 tokens. */
const MAX_MODEL_OUTPUT_BYTES = 16 * 1024;

/** Stores the content that the call is about to change, for `diff` and `undo`. */
export function recordToolChange({
  intent,
  prepared: { operation },
  facts,
  context: { parts },
}: ToolCall): Promise<OpenChange | undefined> | undefined {
  if (operation.tier === 0) return undefined;
  return parts.changes?.begin({ intent, operation, ...facts });
}

/**
 * A command and a write wait for their turns in the workspace. Every call waits until the capsule has read earlier results
 * and its share of the memory for results is free.
 *
 * @throws AppError `CANCELLED` if the attempt ends while the call waits.
 */
export async function waitForStart(call: ToolCall, consent: Consent): Promise<() => void> {
  const { tally: attempt, signal, run, ending, waitForReader } = call.context.scope;
  const ends: (() => void)[] = [];
  const leave = () => {
    for (const end of ends) end();
  };
  try {
    for (const kind of turnsOf(call, consent))
      ends.push(await takeTurn(kind, { workspace: run.workspace, signal }));
    const request = { attempt, bytes: heldBytes(call), signal };
    ends.push(await reserveForReader(request, waitForReader));
    if (ending.aborted) throw new AppError('CANCELLED', { what: call.intent.name });
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}

function* turnsOf(
  { prepared: { operation }, facts, context: { parts } }: ToolCall,
  { isByPerson }: Consent,
): Generator<TurnKind> {
  if (operation.command && parts.isolation !== 'none') yield operation.command.access;
  const isBound = isByPerson === true && facts.named !== undefined && facts.named.length > 0;
  const isWrite = facts.paths.some(({ access }) => access === 'write');
  if (isBound) yield isWrite ? 'bound-change' : 'bound';
  else if (isWrite) yield 'change';
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

/** Step 7 of a tool call. */
export async function performTool(
  call: ToolCall,
  started: IntentRecord,
  consent: Consent,
): Promise<Performed<ToolOutcome>> {
  const { prepared, service, context, startedMs } = call;
  const { scope } = context;
  if (readsPrivate(prepared.operation)) scope.run.hasReadPrivate = true;
  if (started.tier > 0) scope.tally.effects += 1;
  const ended = await run(call, started);
  const { outcome, output, isUndone = false, isCancelled = false, isKnown, thrown } = ended;
  if (isUndone && started.tier > 0) scope.tally.effects -= 1;
  noteDiscarded({ ...started, outcome }, scope);
  const isUnknown = isCancelled && !isKnown && !isUndone && mustNotRepeat(started);
  const outcomeStatus = outcome.ok ? 'done' : 'failed';
  const message = outcome.ok ? undefined : (outcome.error?.message ?? 'it failed');
  return {
    ended: isUnknown ? 'unknown' : outcomeStatus,
    outcome,
    startedMs,
    isUndone,
    wrote: output?.wrote,
    removed: output?.removed,
    cost: service && serviceCost(service, thrown),
    failure: service && serviceFailure(message, output?.result, scope.signal),
    alsoWrite: rowsOf(call, ended, consent),
  };
}

/** The output of a command is shown while it runs, from this time on. */
const SHOWN_AFTER_MS = 1_000;

async function run(call: ToolCall, started: IntentRecord): Promise<Ended> {
  const { prepared, context } = call;
  const shown = startsProcess(prepared.operation)
    ? createTextSender('tool.delta', started, context.parts, SHOWN_AFTER_MS)
    : undefined;
  try {
    failPoint('effect');
    const { ending, signal } = context.scope;
    const tool = toolContext(call, isEffect(started) ? ending : signal, shown?.add);
    const output = await prepared.perform(tool);
    failPoint('effected');
    const result = wellFormed(output.result);
    const origin = originOf(prepared.operation, result);
    return { outcome: { ok: true, result, origin }, output };
  } catch (thrown) {
    return endedByError(thrown, call, started);
  } finally {
    shown?.restart();
  }
}

const maxOutputBytes = ({ scope, parts }: CallContext): number =>
  scope.isForModel
    ? Math.min(parts.limits.maxOutputBytes, MAX_MODEL_OUTPUT_BYTES)
    : parts.limits.maxOutputBytes;

const startsProcess = ({ command, tool }: Operation): boolean =>
  command !== undefined || tool === 'sql_query';

/** The context of a tool for this call. */
export function toolContext(
  { prepared, facts, context }: ToolCall,
  signal: AbortSignal,
  onOutput?: ToolContext['onOutput'],
): ToolContext {
  const { scope, parts } = context;
  const { service } = prepared.operation;
  const isKeptBack = keptBackBy(prepared.operation, facts);
  return {
    workspace: scope.run.workspace,
    task: scope.run.task,
    timeoutMs: parts.limits.toolTimeoutMs,
    maxOutputBytes: maxOutputBytes(context),
    signal,
    attempt: scope.tally,
    isGranted: (path) =>
      grantsPath(facts.grant ?? {}, shownPath(facts.workspace, path)) && !isKeptBack(path),
    expected: (path) => facts.effects.find((effect) => effect.path === path)?.before,
    planned: (path) => facts.effects.find((one) => one.path === path && !one.changes)?.after,
    // Only a call that names a service gets its credential.
    service: service === undefined ? undefined : parts.services?.get(service),
    notice: (text, isOnce) => notice(context, text, isOnce),
    onOutput,
    // Last: V8 adds properties to a copied object a hundred times slower.
    ...parts.surroundings,
  };
}

/** Whether it reads local data, or data that needed credentials: later requests may contain it. */
const readsPrivate = ({ url, service, tier, paths }: Operation): boolean =>
  service !== undefined ||
  (url === undefined && (tier !== 1 || paths.some(({ access }) => access === 'read')));

/** Writes the hashes of the files and the trust that was earned. Undefined if there is nothing to write. */
function rowsOf(
  { intent, prepared, facts, context }: ToolCall,
  { outcome, output, isCancelled }: Ended,
  { isByPerson }: Consent,
): (() => void) | undefined {
  const { scope, parts } = context;
  const about = { runId: scope.run.id, subtaskId: scope.subtaskId };
  const files = notedFiles(output ?? {}, about, facts.effects);
  for (const file of files) parts.files.note(file);
  const tier = isCancelled ? undefined : trustTierOf(tiersOf(prepared.operation, facts));
  if (files.length === 0 && tier === undefined) return undefined;
  return () => {
    for (const file of files) parts.files.save(file);
    if (tier === undefined) return;
    const { capsuleId, id: intentId, runId } = intent;
    // Trust grows only by calls that a person approved and that then succeeded.
    const event = !outcome.ok ? 'failure' : isByPerson ? 'approved_success' : 'success';
    parts.trust.note({ capsuleId, tier, event, intentId, runId });
  };
}

const MAX_ORIGIN_CHARS = 200;

/** The origin of a result, as text: its reader treats the result as data of that origin. */
function originOf({ url, command, network, paths, tool }: Operation, result: unknown): string {
  if (url) {
    const { origin } = (result ?? {}) as { origin?: unknown };
    return typeof origin === 'string' ? origin : url.origin;
  }
  if (command) {
    const hosts = network?.map(({ host }) => host).join(', ');
    const where = hosts === undefined ? '' : ` with network to ${hosts}`;
    return `output of ${tool}${where}`.slice(0, MAX_ORIGIN_CHARS);
  }
  const names = [...new Set(paths.map(({ path }) => path))].join(', ');
  return `workspace: ${names}`.slice(0, MAX_ORIGIN_CHARS);
}

/** Emits that a tool call was requested. */
export function announceTool({ intent, prepared: { operation }, context }: ToolCall): void {
  context.parts.events.emit({
    type: 'tool.requested',
    ...aboutIntent(intent),
    tool: operation.name,
    target: operation.target,
    ...programOf(operation),
    reason: intent.reason,
  });
}

const programOf = ({ command, target }: Operation): { readonly program?: string } =>
  command?.kind === 'python' && command.code !== target ? { program: cut(command.code) } : {};

/** Longest program or diff of an event; the row of the intent has all of it. */
const MAX_EVENT_CHARS = 16 * 1024;

const cut = (text: string): string =>
  text.length <= MAX_EVENT_CHARS
    ? text
    : `${text.slice(0, MAX_EVENT_CHARS)}\n[cut: ${text.length} characters]\n`;

/** Emits how a tool call ended, and which files it wrote and removed. */
export function reportTool(
  { prepared: { operation }, facts, context: { parts } }: ToolCall,
  ended: IntentRecord,
  { outcome, wrote = [], removed = [], startedMs }: Performed<ToolOutcome>,
): void {
  const about = aboutIntent(ended);
  const { lines } = operation;
  parts.events.emit({
    type: 'tool.answered',
    ...about,
    tool: ended.name,
    target: ended.target,
    ...(lines !== undefined && { lines }),
    ok: outcome.ok,
    message: outcome.error?.message ?? null,
    duration_ms: Math.round(performance.now() - startedMs),
    ...(startsProcess(operation) && processEnd(outcome, parts)),
  });
  for (const { path, bytes, sha256: state } of wrote) {
    const diff = shownDiff(path, facts, parts);
    const sha256 = publishedHash(state);
    parts.events.emit({ type: 'file.written', ...about, path, bytes, sha256, diff });
  }
  for (const path of removed) parts.events.emit({ type: 'file.removed', ...about, path });
}

/** Secrets are removed before it is cut. */
function shownDiff(path: string, { effects }: ToolFacts, { redactor }: BrokerParts): string | null {
  const diff = effects.find((effect) => effect.path === path)?.diff ?? null;
  return diff === null ? null : cut(redactor.redact(diff));
}
