import { AppError } from '../contract/errors.ts';
import type { IntentRecord } from '../contract/intent.ts';
import type { IntentReply } from '../contract/wire/coordinator-messages.ts';
import { errorReply } from '../contract/wire/error-reply.ts';
import { FINAL } from '../contract/wire/final.ts';
import type { Intent, ToolCallIntent } from '../contract/wire/protocol.ts';
import { canonicalHash } from '../platform/text/canonical-hash.ts';
import { isoTime } from '../platform/text/iso-time.ts';
import type { Consent } from '../policy/decide/decision.ts';
import { ASK_PERSON } from '../tools/ask-person.ts';
import { questionCalls } from './calls/ask-person.ts';
import type {
  AnyKind,
  Awaitable,
  Call,
  CallKind,
  CallOutcome,
  Performed,
  Permitted,
} from './calls/call.ts';
import { withFallbacks } from './calls/chat/fallback.ts';
import { type ChatIntent, chatCalls } from './calls/chat.ts';
import {
  abortAttempt,
  deny,
  rejectInvalid,
  resolveUnknown,
  withdraw,
} from './calls/end-unperformed.ts';
import { finalCalls } from './calls/final.ts';
import { type HttpIntent, httpCalls } from './calls/http.ts';
import { countOutcome, countRequest } from './calls/loop-guard.ts';
import type { BrokerParts, CallContext } from './calls/parts.ts';
import { toolCalls } from './calls/tool.ts';
import type { Journal } from './intent/journal.ts';
import { unreserved } from './intent/record.ts';
import type { AttemptScope } from './intent/scope.ts';
import { transition } from './intent/transitions.ts';
import { release, reserve } from './money/reserve.ts';
import { breakerUpdate, returnProbe, settledColumns, warnOfBudgets } from './money/settle.ts';
import { assertNotDiverged } from './recall/divergence.ts';
import { type Recorded, recall, reuse } from './recall/recall.ts';

export interface Broker {
  /** Decides, performs and journals one intent; the reply contains no known secret. Never throws: a failure is a reply too. */
  answer(intent: Intent, scope: AttemptScope): Promise<IntentReply>;
}

/** The only place where an intent becomes an effect. */
export function createBroker(parts: BrokerParts): Broker {
  return {
    async answer(intent, scope) {
      return parts.redactor.redact(await answer(intent, { scope, parts }));
    },
  };
}

async function answer(intent: Intent, context: CallContext): Promise<IntentReply> {
  const { scope, parts } = context;
  scope.tally.intents += 1;
  if (scope.attemptId !== null && scope.tally.intents > parts.limits.maxIntents) {
    const error = new AppError('TOO_MANY_INTENTS', { limit: parts.limits.maxIntents });
    scope.end(error);
    return errorReply(intent, error);
  }
  try {
    if (intent.type === 'tool_call_intent') return await takeTool(intent, context);
    const { kind } = intent.request;
    if (kind === 'http') return await take(httpCalls, intent as HttpIntent, context);
    const chat = intent as ChatIntent;
    return await withFallbacks(chat.request.hint, context, (one) => take(chatCalls, chat, one));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CANCELLED') throw error;
    return errorReply(intent, error);
  }
}

function takeTool(intent: ToolCallIntent, context: CallContext): Promise<IntentReply> {
  if (intent.tool === ASK_PERSON) return take(questionCalls, intent, context);
  if (intent.tool === FINAL) return take(finalCalls, intent, context);
  return take(toolCalls, intent, context);
}

/** Takes one intent through the eight steps: recall, decide, breaker, reserve, ask, started, perform, done. */
async function take<Message extends Intent, C extends Call, Outcome extends CallOutcome>(
  kind: CallKind<Message, C, Outcome>,
  message: Message,
  context: CallContext,
): Promise<IntentReply> {
  const { scope } = context;
  await scope.run.currentRules?.refresh();
  const requestHash = canonicalHash(kind.requestOf(message));
  const recorded: Recorded = scope.record
    ? recall({ wireId: message.id, requestHash }, context)
    : { kind: 'new' };
  scope.tally[kind.counter] += 1;
  if (recorded.kind === 'answer') {
    kind.restore?.(recorded.record.outcome, context);
    return kind.reply(reuse(recorded.record, context));
  }
  const proposed = await kind.prepare({ message, requestHash, recorded }, context);
  if ('problem' in proposed) return rejectInvalid(kind, proposed);
  const problem =
    (scope.record && (await assertNotDiverged(recorded, proposed.intent, context))) ??
    loopOf(proposed);
  if (problem) return abortAttempt(kind, proposed, problem);
  kind.announce?.(proposed);
  const isUnknown = proposed.intent.status === 'unknown';
  const known = isUnknown ? await resolveUnknown(kind, proposed) : undefined;
  if (known && 'type' in known) return known;
  const { call, permission } = await permit(kind, proposed, known);
  if (!permission.approved) return deny(kind, call, permission);
  return carryOut(kind, call, permission);
}

/** Steps 6 to 8, unless the capsule has ended by then. */
async function carryOut<C extends Call, Outcome extends CallOutcome>(
  kind: AnyKind<C, Outcome>,
  call: C,
  consent: Consent,
): Promise<IntentReply> {
  const leave = await waitForStart(kind, call, consent);
  try {
    const refusal = await kind.recheck?.(call, consent);
    if (refusal) return deny(kind, call, refusal);
    const isStarted = call.intent.status === 'started';
    const { signal, ending } = call.context.scope;
    // A capsule that has ended by itself: its requests that have not started are not performed.
    const isOver = () => !isStarted && signal.aborted && !ending.aborted;
    const recording = isOver() ? undefined : kind.recordChange?.(call);
    const change = recording && (await recording);
    if (change && !isStarted && ending.aborted) {
      await change.end(true);
      giveBack(call);
      throw new AppError('CANCELLED', { what: call.intent.name });
    }
    if (isOver()) {
      await change?.end(true);
      return withdraw(kind, call);
    }
    const started = isStarted ? call.intent : start(kind, call, consent);
    const performed = await kind.perform(call, started, consent);
    if (change) await change.end(performed.isUndone);
    return await finish(kind, call, started, performed);
  } finally {
    leave?.();
  }
}

async function waitForStart<C extends Call>(
  kind: AnyKind<C>,
  call: C,
  consent: Consent,
): Promise<(() => void) | undefined> {
  try {
    return await kind.waitForStart?.(call, consent);
  } catch (error) {
    giveBack(call);
    throw error;
  }
}

function loopOf({ intent, context: { scope } }: Call): AppError | undefined {
  const error = countRequest(intent, scope.tally);
  return scope.attemptId === null ? undefined : error;
}

/** Steps 2 to 5: decides, and reserves and asks if necessary. */
async function permit<C extends Call, Outcome extends CallOutcome>(
  kind: AnyKind<C, Outcome>,
  call: C,
  agreed: Consent | undefined,
): Promise<Permitted<C>> {
  const payment = kind.payment(call);
  if (payment === undefined) return kind.permit(call, agreed);
  if ('approved' in payment) return { call, permission: payment };
  // First, so that the money is reserved while the question about the operation is open.
  const reservation = await reserve(payment);
  if (!reservation.approved) {
    const reason = payment.isOptional ? 'provider' : reservation.reason;
    return { call, permission: { ...reservation, reason } };
  }
  const { intent, consent } = reservation;
  const reserved = { ...call, intent, reservation };
  if (payment.startsAtOnce) return { call: reserved, permission: consent };
  try {
    return await kind.permit(reserved, agreed);
  } catch (error) {
    giveBack(reserved);
    throw error;
  }
}

/** Returns the money and the probe that are reserved for a call that has not started. */
function giveBack({ intent, reservation, context: { parts } }: Call): void {
  if (reservation === undefined) return;
  returnProbe(reservation, parts);
  release({ intent: unreserved(intent), parts });
}

/** Step 6: the row `started` is on the disk before any effect; a read shares a later commit. */
function start<C extends Call>(
  kind: Pick<CallKind<never, C, never>, 'basis'>,
  call: C,
  { step, rule, approvalId }: Consent,
): IntentRecord {
  const { journal, approvals, now } = call.context.parts;
  const { facts, effects } = kind.basis(call);
  const startedAt = isoTime(now());
  const started = transition(call.intent, 'started', { step, rule, facts, effects, startedAt });
  if (started.tier === 0) {
    journal.saveSoon(started);
    return started;
  }
  journal.save(started, () => approvals.consumeOnce(approvalId));
  return started;
}

/** Step 8: writes outcome, cost, trust and file hashes in one transaction, then returns the reply. */
function finish<C extends Call, Outcome extends CallOutcome>(
  kind: AnyKind<C, Outcome>,
  call: C,
  started: IntentRecord,
  performed: Performed<Outcome>,
): Awaitable<IntentReply> {
  const { reservation, context } = call;
  const { scope, parts } = context;
  const breaker = reservation && breakerUpdate(reservation, performed.failure);
  const { alsoWrite, cost } = performed;
  const outcome = scope.messages?.addTo(performed.outcome) ?? performed.outcome;
  const ended = endedRow(kind, started, { ...performed, outcome }, isoTime(parts.now()));
  scope.tally.costMicroUsd += cost?.microUsd ?? 0;
  if (ended.tier === 0 && breaker === undefined) parts.journal.saveSoon(ended, alsoWrite);
  else {
    saveEnd(parts.journal, ended, () => {
      breaker?.write();
      alsoWrite?.();
    });
  }
  kind.report(call, ended, performed);
  breaker?.report();
  if (reservation) warnOfBudgets(reservation.payment);
  if (parts.hooks.has(kind.afterHook)) return runAfterHooks(kind, call, ended, outcome);
  countOutcome(outcome.error, scope);
  return kind.reply(ended.outcome ?? kind.stored(outcome));
}

/** The notes of hooks are in the row before the capsule gets them. */
async function runAfterHooks<C extends Call, Outcome extends CallOutcome>(
  kind: AnyKind<C, Outcome>,
  call: C,
  ended: IntentRecord,
  outcome: Outcome,
): Promise<IntentReply> {
  const { scope, parts } = call.context;
  const noted = await kind.runAfterHooks(call, outcome);
  if (noted) parts.journal.save({ ...ended, outcome: kind.stored(noted) });
  countOutcome(outcome.error, scope);
  return kind.reply(kind.stored(noted ?? outcome));
}

function endedRow<Outcome>(
  kind: { stored(outcome: Outcome): unknown },
  started: IntentRecord,
  { ended, outcome, isUndone, cost }: Performed<Outcome>,
  endedAt: string,
): IntentRecord {
  const settled = cost ? { ...started, ...settledColumns(started, cost) } : started;
  if (ended === 'unknown') return transition(settled, ended);
  return transition(settled, ended, {
    outcome: kind.stored(outcome),
    startedAt: isUndone ? null : started.startedAt,
    endedAt,
  });
}

/** If an outcome can't be written now, it is written with the next commit that succeeds. */
function saveEnd(journal: Journal, ended: IntentRecord, alsoWrite: () => void): void {
  try {
    journal.save(ended, alsoWrite);
  } catch (error) {
    journal.saveSoon(ended, alsoWrite);
    throw error;
  }
}
