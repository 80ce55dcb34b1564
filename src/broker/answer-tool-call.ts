import { AppError, messageOf } from '../errors.ts';
import { decideToolCall } from '../policy/decide-tool-call.ts';
import { grantsPath } from '../policy/grants.ts';
import { tiersOf } from '../policy/table.ts';
import type { ToolCallIntent, ToolCallResult, WireError } from '../runtime/protocol.ts';
import { shownPath } from '../tools/paths.ts';
import type { Operation, PreparedCall, ToolOutput } from '../tools/tool.ts';
import { describeOperation } from './describe-operation.ts';
import type { NotedFile } from './file-ledger.ts';
import type { IntentRecord } from './journal.ts';
import { aboutIntent, openIntent } from './open-intent.ts';
import type { BrokerParts } from './parts.ts';
import type { AttemptScope } from './scope.ts';
import { settle } from './settle.ts';
import type { Consent, Refusal, Settlement } from './settlement.ts';
import { gatherToolFacts, type ToolFacts } from './tool-facts.ts';

/** Decides, performs and journals one tool call. A failing tool is an answer that the capsule can work with. */
export async function answerToolCall(
  message: ToolCallIntent,
  scope: AttemptScope,
  parts: BrokerParts,
): Promise<ToolCallResult> {
  scope.tally.toolCalls += 1;
  const startedMs = performance.now();
  let prepared: PreparedCall;
  try {
    prepared = prepare(message, parts);
  } catch (error) {
    return answerBadCall(message, error, { scope, parts });
  }
  const { operation } = prepared;
  const request = { tool: message.tool, args: message.args };
  const facts = await gatherToolFacts(operation, request, { scope, parts });
  const intent = openIntent(scope, parts.now, {
    kind: 'tool',
    name: operation.name,
    target: operation.target,
    tier: Math.max(...tiersOf(operation, facts)),
    repeatability: operation.repeatability,
    wireId: message.id ?? null,
    request,
    reason: message.reason,
  });
  parts.events.emit({
    type: 'tool.requested',
    ...aboutIntent(intent),
    tool: operation.name,
    target: operation.target,
    reason: message.reason,
  });
  const call: Call = { intent, prepared, scope, parts, startedMs };
  const { settlement, facts: latest } = await mayPerform(call, facts);
  return settlement.approved ? perform(call, settlement, latest) : refuse(call, settlement);
}

interface Call {
  readonly intent: IntentRecord;
  readonly prepared: PreparedCall;
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
  readonly startedMs: number;
}

function prepare({ tool: name, args }: ToolCallIntent, { tools }: BrokerParts): PreparedCall {
  const tool = tools.get(name);
  if (!tool) throw new AppError('TOOL_UNKNOWN', { tool: name, known: [...tools.keys()] });
  return tool.prepare(args);
}

/** An unknown tool or bad arguments: nothing was decided, nothing done, and the capsule is told what is wrong. */
function answerBadCall(
  { tool, args, reason }: ToolCallIntent,
  thrown: unknown,
  { scope, parts }: Pick<Call, 'scope' | 'parts'>,
): ToolCallResult {
  const error = wireError(thrown);
  const request = { tool, args };
  const about = { kind: 'tool', name: tool, target: '', tier: 0, request, reason } as const;
  const intent = openIntent(scope, parts.now, about);
  const endedAt = parts.now().toISOString();
  parts.journal.saveSoon({ ...intent, status: 'failed', outcome: { ok: false, error }, endedAt });
  return { type: 'tool_call_result', ok: false, error };
}

/** Decides on today's facts; after a person was asked, once more, since they may have changed meanwhile. */
async function mayPerform(
  { intent, prepared: { operation }, scope, parts }: Call,
  facts: ToolFacts,
): Promise<{ settlement: Settlement; facts: ToolFacts }> {
  const decision = decideToolCall(operation, facts);
  if (decision.kind !== 'ask') {
    return { settlement: await settle(decision, intent, NOTHING_ASKED, { scope, parts }), facts };
  }
  const asked = {
    kind: decision.rule === 'file_changed' ? 'changed_file' : 'tool',
    details: describeOperation(operation, intent.request),
  } as const;
  const settlement = await settle(decision, intent, asked, { scope, parts });
  if (!settlement.approved) return { settlement, facts };
  const today = await gatherToolFacts(operation, intent.request, { scope, parts });
  const again = decideToolCall(operation, today);
  if (again.kind === 'deny') {
    return { settlement: await settle(again, intent, asked, { scope, parts }), facts: today };
  }
  if (again.kind === 'ask' && again.rule !== decision.rule) {
    const sentence = 'What the question was about changed before it was answered.';
    const { rule } = again;
    const settlement = { approved: false, step: 6, rule, reason: 'denied', sentence } as const;
    return { settlement, facts: today };
  }
  return { settlement, facts: today };
}

const NOTHING_ASKED = { kind: 'tool', details: '' } as const;

function refuse(
  { intent, scope, parts }: Call,
  { rule, reason, sentence }: Refusal,
): ToolCallResult {
  const what = `${intent.name} ${intent.target}`;
  const { code, message } = new AppError('INTENT_DENIED', { what, reason, sentence });
  const error = { code, message };
  const endedAt = parts.now().toISOString();
  scope.tally.denial = reason;
  const outcome = { ok: false, error };
  parts.journal.save({ ...intent, status: 'denied', rule, denial: reason, outcome, endedAt });
  parts.events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason, sentence });
  return { type: 'tool_call_result', ok: false, error };
}

async function perform(call: Call, settlement: Consent, facts: ToolFacts): Promise<ToolCallResult> {
  const { intent, prepared, scope, parts } = call;
  const startedAt = parts.now().toISOString();
  const started: IntentRecord = { ...intent, status: 'started', rule: settlement.rule, startedAt };
  begin(call, started, settlement.approvalId);
  try {
    const output = await prepared.perform({
      workspace: scope.run.workspace,
      timeoutMs: parts.toolTimeoutMs,
      maxOutputBytes: parts.maxOutputBytes,
      signal: scope.signal,
      isProtected: parts.isProtected,
      isGranted: (path) => grantsPath(facts.grant ?? {}, shownPath(facts.workspace, path)),
      expected: (path) => facts.onDisk.get(path),
      privateOrigins: parts.privateOrigins,
      searchPath: parts.searchPath,
    });
    const result = parts.redactor.redact(output.result);
    return end(call, started, { ok: true, result }, output);
  } catch (thrown) {
    return end(call, started, {
      ok: false,
      error: parts.redactor.redact(wireError(thrown)) as WireError,
    });
  }
}

/** The `started` row is on the disk before any effect; what has none shares a later commit. */
function begin({ prepared, scope, parts }: Call, started: IntentRecord, approvalId?: string): void {
  const { operation } = prepared;
  if (readsPrivate(operation)) scope.run.hasReadPrivate = true;
  if (started.tier === 0) {
    parts.journal.saveSoon(started);
    return;
  }
  scope.tally.effects += 1;
  parts.journal.save(started, () => {
    if (approvalId !== undefined) parts.approvals.consume(approvalId);
  });
}

/** What stays on this machine and is looked at: from here on, what the run sends out may carry it. */
const readsPrivate = ({ url, service, tier }: Operation): boolean =>
  service !== undefined || (url === undefined && tier !== 1);

type Outcome = Pick<ToolCallResult, 'ok' | 'result' | 'error'>;

function end(
  { scope, parts, startedMs }: Call,
  started: IntentRecord,
  outcome: Outcome,
  output?: ToolOutput,
): ToolCallResult {
  const files = output ? noteFiles(output, scope, parts) : [];
  const endedAt = parts.now().toISOString();
  const status = outcome.ok ? 'done' : 'failed';
  const ended: IntentRecord = { ...started, status, outcome, endedAt };
  const saveFiles = () => {
    for (const file of files) parts.files.save(file);
  };
  if (started.tier === 0) parts.journal.saveSoon(ended, saveFiles);
  else parts.journal.save(ended, saveFiles);
  parts.events.emit({
    type: 'tool.answered',
    ...aboutIntent(ended),
    tool: ended.name,
    target: ended.target,
    ok: outcome.ok,
    message: outcome.error?.message ?? null,
    duration_ms: Math.round(performance.now() - startedMs),
  });
  for (const { path, bytes, sha256 } of output?.wrote ?? []) {
    parts.events.emit({ type: 'file.written', ...aboutIntent(ended), path, bytes, sha256 });
  }
  return { type: 'tool_call_result', ...outcome };
}

function noteFiles(
  { read = [], wrote = [] }: ToolOutput,
  { run, subtaskId }: AttemptScope,
  { files }: BrokerParts,
): readonly NotedFile[] {
  const about = { runId: run.id, subtaskId };
  const noted = [
    ...read.map((file) => ({ ...file, ...about, wasWritten: false })),
    ...wrote.map((file) => ({ ...file, ...about, wasWritten: true })),
  ];
  for (const file of noted) files.note(file);
  return noted;
}

const wireError = (error: unknown): WireError => ({
  code: error instanceof AppError ? (error as AppError).code : 'TOOL_FAILED',
  message: messageOf(error),
});
