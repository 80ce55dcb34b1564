import type { IntentRecord } from '../../../contract/intent.ts';
import type { Operation } from '../../../contract/permissions/operation.ts';
import { failPoint } from '../../../db/fail-point.ts';
import { wellFormed } from '../../../platform/text/well-formed.ts';
import type { Consent } from '../../../policy/decide/decision.ts';
import { tiersOf } from '../../../policy/decide/table.ts';
import { grantsPath } from '../../../policy/grants/grants.ts';
import { trustTierOf } from '../../../policy/limits/trust.ts';
import { keptBackBy } from '../../../policy/rules/rule-call.ts';
import type { ToolContext, ToolOutput, WrittenFile } from '../../../tools/define/tool.ts';
import { publishedHash } from '../../../tools/files/path-state.ts';
import { shownPath } from '../../../tools/files/paths.ts';
import type { OpenChange } from '../../changes/change-recorder.ts';
import type { NotedFile } from '../../intent/file-ledger.ts';
import { aboutIntent, isEffect, mustNotRepeat, noteDiscarded } from '../../intent/record.ts';
import type { Performed } from '../call.ts';
import { serviceCost, serviceFailure } from '../http/http-payment.ts';
import type { BrokerParts, CallContext } from '../parts.ts';
import { createTextSender } from '../send-text.ts';
import { commandEnd } from './command-end.ts';
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

/** Runs the tool. An exception becomes an outcome. */
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

export const maxOutputBytes = ({ scope, parts }: CallContext): number =>
  scope.isForModel
    ? Math.min(parts.limits.maxOutputBytes, MAX_MODEL_OUTPUT_BYTES)
    : parts.limits.maxOutputBytes;

export const startsProcess = ({ command, tool }: Operation): boolean =>
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
    // Only a call that names a service gets its credential.
    service: service === undefined ? undefined : parts.services?.get(service),
    notice(text, isOnce = false) {
      if (isOnce && scope.run.notices.has(text)) return;
      scope.run.notices.add(text);
      parts.events.emit({ type: 'run.noticed', run_id: scope.run.id, text });
    },
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
  const files = noteFiles(output ?? {}, scope, parts, facts.effects);
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

function noteFiles(
  { read = [], wrote = [], removed = [] }: Partial<ToolOutput>,
  { run, subtaskId }: ToolCall['context']['scope'],
  { files }: BrokerParts,
  effects: ToolFacts['effects'],
): readonly NotedFile[] {
  const about = { runId: run.id, subtaskId };
  const beforeOf = ({ path }: WrittenFile) => effects.find((one) => one.path === path)?.before;
  const noted = [
    ...read.map((file) => ({ ...file, ...about, wasWritten: false })),
    ...wrote.map((file) => ({ ...file, ...about, wasWritten: true, before: beforeOf(file) })),
    ...removed.map((path) => ({ path, ...about, sha256: 'absent', bytes: 0, wasWritten: false })),
  ];
  for (const file of noted) files.note(file);
  return noted;
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
  const isProcess = startsProcess(operation);
  parts.events.emit({
    type: 'tool.answered',
    ...about,
    tool: ended.name,
    target: ended.target,
    ...(lines !== undefined && { lines }),
    ok: outcome.ok,
    message: outcome.error?.message ?? null,
    duration_ms: Math.round(performance.now() - startedMs),
    ...(isProcess && { isolation: isolationText(parts) }),
    ...(isProcess && outcome.ok && commandEnd(outcome.result, parts.redactor)),
  });
  for (const { path, bytes, sha256: state } of wrote) {
    const diff = shownDiff(path, facts, parts);
    const sha256 = publishedHash(state);
    parts.events.emit({ type: 'file.written', ...about, path, bytes, sha256, diff });
  }
  for (const path of removed) parts.events.emit({ type: 'file.removed', ...about, path });
}

const isolationText = ({ isolation, isolationReason }: BrokerParts): string =>
  isolationReason === undefined ? isolation : `${isolation}: ${isolationReason}`;

/** Secrets are removed before it is cut. */
function shownDiff(path: string, { effects }: ToolFacts, { redactor }: BrokerParts): string | null {
  const diff = effects.find((effect) => effect.path === path)?.diff ?? null;
  return diff === null ? null : cut(redactor.redact(diff));
}
