import { AppError, failedWith } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { ToolCallIntent, ToolCallResult } from '../../contract/protocol.ts';
import { canonicalHash } from '../../platform/canonical-hash.ts';
import { decideToolCall } from '../../policy/decide-tool-call.ts';
import { toStoredFacts } from '../../policy/stored-facts.ts';
import { repeatabilityOf, tiersOf } from '../../policy/table.ts';
import type { PreparedCall } from '../../tools/tool.ts';
import { aboutIntent, openIntent } from '../intent/record.ts';
import type { AttemptScope } from '../intent/scope.ts';
import type { Refusal } from '../questions/settlement.ts';
import { adoptIntent, againstAnother } from '../recall/adopt-intent.ts';
import {
  answerOfUnknown,
  assertOnTrack,
  type Recorded,
  reuse,
  takeRecord,
} from '../recall/recall.ts';
import { journaled } from '../tool-calls/http-outcome.ts';
import { errorsOf, loopOf } from '../tool-calls/loop-guard.ts';
import { mayPerform } from '../tool-calls/may-perform.ts';
import type { ToolCall, ToolFacts, ToolOutcome } from '../tool-calls/tool-call.ts';
import type { BrokerParts } from './parts.ts';
import { performToolCall, wireError } from './perform-tool.ts';
import { fund, returnProbe, targetOf, unreserved } from './service.ts';
import { gatherToolFacts } from './tool-facts.ts';
import { beforeToolCall, type HookedCall } from './tool-hooks.ts';

/** Decides, performs and journals one tool call. A failing tool is an answer that the capsule can work with. */
export async function answerToolCall(
  message: ToolCallIntent,
  scope: AttemptScope,
  parts: BrokerParts,
): Promise<ToolCallResult> {
  scope.tally.toolCalls += 1;
  const where = { scope, parts };
  const request = { tool: message.tool, args: message.args };
  const askedHash = canonicalHash(request);
  const recorded = takeRecord({ wireId: message.id, requestHash: askedHash }, where);
  if (recorded.kind === 'answer') {
    reuse(recorded.record, where);
    return { type: 'tool_call_result', ...(recorded.record.outcome as ToolOutcome) };
  }
  let hooked: HookedCall;
  try {
    hooked = await beforeToolCall(message, prepare(message, parts), where);
  } catch (error) {
    if (failedWith(error, 'CANCELLED')) throw error;
    return answerBadCall(message, error, where);
  }
  const isChanged = hooked.args !== message.args;
  const asked = {
    kind: 'tool',
    wireId: message.id ?? null,
    reason: message.reason,
    request: isChanged ? { ...request, args: hooked.args } : request,
    askedHash,
    isChanged,
  } as const;
  return answerPrepared({ asked, hooked, recorded }, where);
}

/** A call whose arguments are right, as it stands when its steps begin. */
export interface PreparedIntent {
  readonly asked: Pick<IntentRecord, 'wireId' | 'reason' | 'request'> & {
    readonly kind: 'tool' | 'http';
    /** SHA-256 of what the capsule asked for. */
    readonly askedHash: string;
    /** Whether a hook made the request another one. */
    readonly isChanged: boolean;
  };
  readonly hooked: HookedCall;
  readonly recorded: Exclude<Recorded, { kind: 'answer' }>;
}

/** Steps 2 to 8. */
export async function answerPrepared(
  { asked, hooked, recorded }: PreparedIntent,
  where: Pick<ToolCall, 'scope' | 'parts'>,
): Promise<ToolCallResult> {
  const startedMs = performance.now();
  const { scope, parts } = where;
  const { prepared, hook } = hooked;
  const { operation } = prepared;
  const { kind, wireId, reason, request, askedHash, isChanged } = asked;
  const requestHash = isChanged ? canonicalHash(request) : askedHash;
  const facts = await gatherToolFacts(operation, { kind, request, requestHash, hook }, where);
  const proposed = openIntent(scope, parts.now, {
    kind,
    wireId,
    reason,
    request,
    name: operation.name,
    target: targetOf(operation, parts),
    tier: Math.max(...tiersOf(operation, facts)),
    repeatability: repeatabilityOf(operation, facts),
    requestHash,
    askedHash: isChanged ? askedHash : null,
  });
  const intent = recorded.kind === 'adopt' ? adoptIntent(recorded.record, proposed) : proposed;
  const astray = (await assertOnTrack(recorded, intent, where)) ?? loopOf(intent, scope.tally);
  if (astray) return giveUp(intent, astray, where);
  parts.events.emit({
    type: 'tool.requested',
    ...aboutIntent(intent),
    tool: operation.name,
    target: operation.target,
    reason,
  });
  const call: ToolCall = { intent, prepared, hook, scope, parts, startedMs };
  if (intent.status === 'unknown') {
    const another = againstAnother(intent, proposed);
    return answerUnknown({ ...call, hook: another ?? hook }, { ...facts, hook: another ?? hook });
  }
  const funded = await fund(call, facts);
  if (!funded.approved) return refuse(call, funded, facts);
  const { settlement, facts: latest } = await mayPerform(funded.call, funded.facts);
  return settlement.approved
    ? performToolCall(funded.call, settlement, latest)
    : refuse(funded.call, settlement, latest);
}

/** What had started when its process died, and is no file that tells: a person knows, or decides. */
async function answerUnknown(call: ToolCall, facts: ToolFacts): Promise<ToolCallResult> {
  const { intent, prepared, scope, parts } = call;
  const answer = await answerOfUnknown(intent, { scope, parts });
  if (answer.kind === 'abandon') {
    const what = `${intent.name} ${intent.target}`;
    return giveUp(intent, new AppError('OUTCOME_ABANDONED', { what }), { scope, parts });
  }
  if (answer.kind === 'do_it') {
    const decision = decideToolCall(prepared.operation, facts);
    if (decision.kind === 'deny') return refuse(call, { approved: false, ...decision }, facts);
    const funded = await fund(call, facts);
    if (!funded.approved) return refuse(call, funded, facts);
    const consent = { approved: true, step: 2, rule: 'unknown_outcome', ...answer } as const;
    return performToolCall(funded.call, consent, funded.facts);
  }
  const note = 'A person says that it was done before the interruption. Its output is not known.';
  const outcome = { ok: true, result: { note } };
  const endedAt = parts.now().toISOString();
  scope.tally.effects += 1;
  const row = { ...intent, status: 'done', outcome: journaled(intent, outcome), endedAt } as const;
  parts.journal.save(row, () => {
    parts.approvals.consume(answer.approvalId);
  });
  return { type: 'tool_call_result', ...outcome };
}

/** Ends the intent, and the attempt with it. */
function giveUp(
  intent: IntentRecord,
  error: AppError,
  { scope, parts }: Pick<ToolCall, 'scope' | 'parts'>,
): ToolCallResult {
  const { code, message } = error;
  const outcome = { ok: false, error: { code, message } };
  const endedAt = parts.now().toISOString();
  const row = {
    ...intent,
    status: 'failed',
    outcome: journaled(intent, outcome),
    endedAt,
  } as const;
  parts.journal.save(row);
  scope.end(error);
  return { type: 'tool_call_result', ...outcome };
}

function prepare({ tool: name, args }: ToolCallIntent, { tools }: BrokerParts): PreparedCall {
  const tool = tools.get(name);
  if (!tool) throw new AppError('TOOL_UNKNOWN', { tool: name, known: [...tools.keys()] });
  return tool.prepare(args);
}

/** An unknown tool or bad arguments: nothing was decided, nothing done, and the capsule is told what is wrong. */
function answerBadCall(
  { tool, args, reason, id }: ToolCallIntent,
  thrown: unknown,
  { scope, parts }: Pick<ToolCall, 'scope' | 'parts'>,
): ToolCallResult {
  const error = wireError(thrown);
  const request = { tool, args };
  const intent = openIntent(scope, parts.now, {
    kind: 'tool',
    name: tool,
    target: '',
    tier: 0,
    repeatability: 'pure',
    wireId: id ?? null,
    request,
    reason,
  });
  const endedAt = parts.now().toISOString();
  const outcome = { ok: false, error };
  parts.journal.saveSoon({ ...intent, status: 'failed', outcome, endedAt });
  const loop = loopOf(intent, scope.tally) ?? errorsOf(outcome, scope.tally);
  if (loop) scope.end(loop);
  return { type: 'tool_call_result', ...outcome };
}

function refuse(
  { intent, paid, scope, parts }: ToolCall,
  { step, rule, reason, sentence }: Refusal,
  decidedOn: ToolFacts,
): ToolCallResult {
  const what = `${intent.name} ${intent.target}`;
  const { code, message } = new AppError('INTENT_DENIED', { what, reason, sentence });
  const error = { code, message };
  const endedAt = parts.now().toISOString();
  scope.tally.denial = reason;
  const outcome = { ok: false, error };
  const facts = toStoredFacts(decidedOn);
  const decided = { status: 'denied', step, rule, denial: reason, facts } as const;
  const row = { ...unreserved(intent), ...decided, outcome: journaled(intent, outcome), endedAt };
  parts.journal.save(row, () => returnProbe(paid, parts));
  parts.events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason, sentence });
  return { type: 'tool_call_result', ok: false, error };
}
