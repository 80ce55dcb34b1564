import { AppError, failedWith, messageOf } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ToolCallResult, WireError } from '../../contract/protocol.ts';
import { failPoint } from '../../db/fail-point.ts';
import { isoTime } from '../../platform/iso-time.ts';
import { grantsPath } from '../../policy/grants.ts';
import { keptBackBy } from '../../policy/rule-call.ts';
import { toStoredFacts } from '../../policy/stored-facts.ts';
import { tiersOf } from '../../policy/table.ts';
import { shownPath } from '../../tools/paths.ts';
import type { ToolOutput } from '../../tools/tool.ts';
import type { Consent } from '../approvals/settlement.ts';
import { type TrustEvent, trustTierOf } from '../approvals/trust-store.ts';
import { aboutIntent } from '../journal/open-intent.ts';
import { neverSent } from '../money/bill.ts';
import { type PaidEnd, settlePaid } from '../money/paid-request.ts';
import { warnOfBudgets } from '../money/warn-of-budgets.ts';
import type { BrokerParts } from '../parts.ts';
import type { AttemptScope } from '../scope.ts';
import type { NotedFile } from './file-ledger.ts';
import { hashFile } from './hash-file.ts';
import { journaled } from './http-outcome.ts';
import { isEffect, mustNotRepeat } from './left-an-effect.ts';
import { errorsOf } from './loop-guard.ts';
import { originOf } from './origin-of.ts';
import type { Performed, ToolCall, ToolFacts, ToolOutcome } from './tool-call.ts';
import { afterToolCall } from './tool-hooks.ts';

/** Steps 6 to 8: the row `started`, the effect, its outcome. */
export async function performToolCall(
  call: ToolCall,
  settlement: Consent,
  facts: ToolFacts,
): Promise<ToolCallResult> {
  const { intent, parts } = call;
  const { step, rule } = settlement;
  const startedAt = isoTime(parts.now());
  const effects = facts.effects.length > 0 ? facts.effects : undefined;
  const started: IntentRecord = {
    ...intent,
    status: 'started',
    step,
    rule,
    effects,
    facts: toStoredFacts(facts),
    startedAt,
  };
  const change = await parts.changes?.begin({
    ...call,
    operation: call.prepared.operation,
    ...facts,
  });
  begin(call, started, settlement.approvalId);
  const performed = await perform(call, facts);
  await change?.end();
  const ended = end(call, started, performed, { settlement, facts });
  return afterToolCall(call, ended, performed.outcome);
}

/** The effect itself. What it throws is an outcome. */
async function perform(
  { intent, prepared, scope, parts }: ToolCall,
  facts: ToolFacts,
): Promise<Performed> {
  const isKeptBack = keptBackBy(prepared.operation, facts);
  try {
    failPoint('effect');
    const output = await prepared.perform({
      workspace: scope.run.workspace,
      timeoutMs: parts.toolTimeoutMs,
      maxOutputBytes: parts.maxOutputBytes,
      signal: isEffect(intent) ? scope.ending : scope.signal,
      isProtected: parts.isProtected,
      isClosedToProcesses: parts.isClosedToProcesses,
      isGranted: (path) =>
        grantsPath(facts.grant ?? {}, shownPath(facts.workspace, path)) && !isKeptBack(path),
      expected: (path) => facts.onDisk.get(path),
      privateOrigins: parts.privateOrigins,
      searchPath: parts.searchPath,
      sandbox: parts.sandbox,
      service: serviceNamed(prepared.operation, parts),
      proxies: parts.proxies,
      ownFolder: parts.ownFolder,
      notice: (text) => parts.events.emit({ type: 'run.noticed', run_id: scope.run.id, text }),
    });
    failPoint('effected');
    const { result } = output;
    const origin = originOf(prepared.operation, result);
    return { outcome: { ok: true, result, origin }, output };
  } catch (thrown) {
    const isUndone = await hasChangedNothing(thrown, facts);
    const isUnsure = mustNotRepeat(intent) && !isUndone;
    const error = isUnsure ? withDoubt(wireError(thrown)) : wireError(thrown);
    const isCutOff = failedWith(thrown, 'CANCELLED');
    return { outcome: { ok: false, error }, isCutOff, isUndone, thrown };
  }
}

/** A request that never left, or files none of which holds what it was to hold: each is replaced as a whole or not. */
async function hasChangedNothing(thrown: unknown, { effects }: ToolFacts): Promise<boolean> {
  if (effects.length === 0) return neverSent(thrown);
  const now = await Promise.all(effects.map(({ path }) => hashFile(path).catch(() => undefined)));
  return effects.every(({ after }, i) => after === null || now[i] !== after);
}

const withDoubt = ({ code, message }: WireError): WireError => ({
  code,
  message: `${message} It may have been done all the same: look before you ask for it again.`,
});

/** Its credential goes out with the call: only where the call names it. */
const serviceNamed = ({ service }: Operation, { services }: BrokerParts) =>
  service === undefined ? undefined : services?.get(service);

/** The `started` row is on the disk before any effect; what has none shares a later commit. */
function begin(
  { prepared, scope, parts }: ToolCall,
  started: IntentRecord,
  approvalId?: string,
): void {
  const { operation } = prepared;
  if (readsPrivate(operation)) scope.run.hasReadPrivate = true;
  if (started.tier === 0) {
    parts.journal.saveSoon(started);
    return;
  }
  scope.tally.effects += 1;
  parts.journal.save(started, () => {
    if (approvalId !== undefined && !parts.approvals.consume(approvalId)) {
      throw new Error(`the answer ${approvalId} was used before`);
    }
  });
}

/** What stays on this machine and is looked at: from here on, what the run sends out may carry it. */
const readsPrivate = ({ url, service, tier }: Operation): boolean =>
  service !== undefined || (url === undefined && tier !== 1);

interface Decided {
  readonly settlement: Consent;
  readonly facts: ToolFacts;
}

function end(
  call: ToolCall,
  started: IntentRecord,
  performed: Performed,
  decided: Decided,
): IntentRecord {
  const { prepared, scope, parts, startedMs } = call;
  const { outcome, output } = performed;
  const paid = settlePaid(call, performed);
  const counted = paid ? { ...started, ...paid.row } : started;
  const ended = endedRow(counted, performed, isoTime(parts.now()));
  if (performed.isUndone && started.tier > 0) scope.tally.effects -= 1;
  const saveRest = restOf(call, performed, paid, decided);
  if (started.tier === 0) parts.journal.saveSoon(ended, saveRest);
  else saveEffect(ended, saveRest, parts);
  parts.events.emit({
    type: 'tool.answered',
    ...aboutIntent(ended),
    tool: ended.name,
    target: ended.target,
    ok: outcome.ok,
    message: outcome.error?.message ?? null,
    duration_ms: Math.round(performance.now() - startedMs),
    ...(startsProcess(prepared.operation) && { isolation: isolationText(parts) }),
  });
  for (const file of output?.wrote ?? []) {
    const diff = shownDiff(file.path, decided.facts, parts);
    parts.events.emit({ type: 'file.written', ...aboutIntent(ended), ...file, diff });
  }
  paid?.breaker?.tell();
  if (call.paid) warnOfBudgets(call.paid.call);
  const loop = errorsOf(outcome, scope.tally);
  if (loop) scope.end(loop);
  return ended;
}

/** What is written with the outcome: files that were seen, the breaker, trust. Undefined where there is none of it. */
function restOf(
  { intent, prepared, scope, parts }: ToolCall,
  { outcome, output, isCutOff }: Performed,
  paid: PaidEnd | undefined,
  { settlement, facts }: Decided,
): (() => void) | undefined {
  const files = output ? noteFiles(output, scope, parts) : [];
  const tier = isCutOff ? undefined : trustTierOf(tiersOf(prepared.operation, facts));
  if (files.length === 0 && paid === undefined && tier === undefined) return undefined;
  return () => {
    for (const file of files) parts.files.save(file);
    paid?.breaker?.write();
    if (tier === undefined) return;
    const { capsuleId, id: intentId, runId } = intent;
    const event = trustEventOf(outcome, settlement);
    parts.trust.note({ capsuleId, tier, event, intentId, runId });
  };
}

/** What was stopped on its way is unknown where it must not be repeated; what surely changed nothing had not started. */
function endedRow(started: IntentRecord, performed: Performed, endedAt: string): IntentRecord {
  const { outcome, isCutOff = false, isUndone = false } = performed;
  if (isCutOff && !isUndone && mustNotRepeat(started)) return { ...started, status: 'unknown' };
  return {
    ...started,
    status: outcome.ok ? 'done' : 'failed',
    outcome: journaled(started, outcome),
    startedAt: isUndone ? null : started.startedAt,
    endedAt,
  };
}

const isolationText = ({ isolation, isolationReason }: BrokerParts): string =>
  isolationReason === undefined ? isolation : `${isolation}: ${isolationReason}`;

const startsProcess = ({ command, tool }: Operation): boolean =>
  command !== undefined || tool === 'sql_query';

/** Longest difference that an event carries, in characters; the row of the intent has all of it. A secret is taken out before it could be cut. */
const MOST_DIFF_CHARS = 16 * 1024;

function shownDiff(path: string, { effects }: ToolFacts, { redactor }: BrokerParts): string | null {
  const diff = effects.find((effect) => effect.path === path)?.diff ?? null;
  if (diff === null) return null;
  const clean = redactor.redact(diff);
  if (clean.length <= MOST_DIFF_CHARS) return clean;
  return `${clean.slice(0, MOST_DIFF_CHARS)}\n[cut: ${clean.length} characters]\n`;
}

/** What was done is not forgotten where it can't be written now: it goes with the next commit that succeeds. */
function saveEffect(
  ended: IntentRecord,
  saveRest: (() => void) | undefined,
  { journal }: BrokerParts,
): void {
  try {
    journal.save(ended, saveRest);
  } catch (error) {
    journal.saveSoon(ended, saveRest);
    throw error;
  }
}

/** Trust grows only by what a person approved, and that then succeeded. */
function trustEventOf({ ok }: ToolOutcome, { isByPerson }: Consent): TrustEvent {
  if (!ok) return 'failure';
  return isByPerson ? 'approved_success' : 'success';
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

/** A thrown failure as the capsule is told. */
export const wireError = (error: unknown): WireError => ({
  code: error instanceof AppError ? (error as AppError).code : 'TOOL_FAILED',
  message: messageOf(error),
});
