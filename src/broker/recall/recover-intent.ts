import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Audit } from '../audit/audit.ts';
import type { FileEffect } from '../calls/preview.ts';
import type { FileLedger } from '../intent/file-ledger.ts';
import type { ApprovalStore } from '../questions/approval-store.ts';
import { bindingOf } from '../questions/binding.ts';
import { mustNotRepeat } from '../tool-calls/left-an-effect.ts';

/** What the intent of a run needs whose process died. */
export interface RecoveryParts {
  readonly approvals: ApprovalStore;
  readonly audit: Audit;
  readonly files: FileLedger;
  readonly now: () => Date;
  readonly run: { readonly workspace: string; readonly policyVersion: string };
  readonly capsuleHash: string;
}

/**
 * Settles what is known of an intent whose process died; to be called inside the journal's transaction. What had not
 * started, and what may be repeated, goes back to `proposed`, or to `waiting` with the answer that it had. A file tells
 * by its content whether it was written. Money for a model call counts as spent. Everything else is `unknown`, and a
 * question to a person.
 */
export function recoverIntent(intent: IntentRecord, parts: RecoveryParts): IntentRecord {
  if (intent.status === 'waiting') return released(intent);
  if (intent.status === 'unknown') return intent;
  if (intent.status === 'proposed') return proposedAgain(intent);
  if (intent.kind === 'chat') return cutOff(intent, parts);
  const billed = counted(intent);
  if (intent.repeatability === 'pure') return takenBack(billed, parts);
  return byItsFile(billed, parts);
}

/** It may have been paid for: what was reserved counts as spent. */
const counted = (intent: IntentRecord): IntentRecord => ({
  ...released(intent),
  costMicroUsd: intent.costMicroUsd + intent.reservedMicroUsd,
});

function byItsFile(intent: IntentRecord, parts: RecoveryParts): IntentRecord {
  const effects = (intent.effects ?? []) as readonly FileEffect[];
  const [effect] = effects;
  const now = effects.length === 1 && effect?.after ? contentOf(effect.path) : undefined;
  if (effect && now && now.sha256 === effect.after)
    return written(intent, { effect, bytes: now.bytes }, parts);
  if (effect && now && now.sha256 === effect.before) return takenBack(intent, parts);
  return mustNotRepeat(intent) ? unknown(intent, parts) : takenBack(intent, parts);
}

/** It may be done (again): the answer that it had been started with is good for that, and nobody is asked twice. */
function takenBack(intent: IntentRecord, { approvals, audit }: RecoveryParts): IntentRecord {
  const { id, runId } = intent;
  const answers = approvals.giveBack(id);
  for (const ref of answers) {
    const detail = { intent: id };
    audit.append({ actor: 'coordinator', action: 'approval.given_back', runId, ref, detail });
  }
  const proposed = proposedAgain(intent);
  return answers.length > 0 ? { ...proposed, status: 'waiting' } : proposed;
}

/** What was paid for stays with the day on which it was. */
const proposedAgain = (intent: IntentRecord): IntentRecord => ({
  ...released(intent),
  status: 'proposed',
  startedAt: intent.costMicroUsd > 0 ? intent.startedAt : null,
});

/** Nothing was sent: what was reserved for it is free again. */
const released = (intent: IntentRecord): IntentRecord => ({
  ...intent,
  reservedMicroUsd: 0,
  reservedTokens: 0,
});

/** Whether the vendor answered can't be told; what was reserved counts as spent. */
function cutOff(intent: IntentRecord, { now }: RecoveryParts): IntentRecord {
  const message = 'The process that made this call died before the answer came.';
  return {
    ...intent,
    status: 'failed',
    outcome: { approved: true, note: message, error: { code: 'INTERRUPTED', message } },
    costMicroUsd: intent.costMicroUsd + intent.reservedMicroUsd,
    outputTokens: intent.outputTokens + intent.reservedTokens,
    reservedMicroUsd: 0,
    reservedTokens: 0,
    endedAt: now().toISOString(),
  };
}

interface Found {
  readonly effect: FileEffect;
  readonly bytes: number;
}

function written(
  intent: IntentRecord,
  { effect: { path, before, after }, bytes }: Found,
  { files, now, run }: RecoveryParts,
): IntentRecord {
  const sha256 = after ?? '';
  const { runId, subtaskId } = intent;
  const file = { runId, subtaskId, path, bytes, sha256, wasWritten: true };
  files.note(file);
  files.save(file);
  const shown = path.startsWith(`${run.workspace}/`) ? path.slice(run.workspace.length + 1) : path;
  const result = { path: shown, bytes, sha256, created: before === 'absent' };
  return { ...intent, status: 'done', outcome: { ok: true, result }, endedAt: now().toISOString() };
}

function unknown(intent: IntentRecord, parts: RecoveryParts): IntentRecord {
  const { approvals, audit, run, capsuleHash } = parts;
  const { runId, requestHash } = intent;
  const { workspace, policyVersion } = run;
  const bound = { requestHash, runId, workspace, capsuleHash, policyVersion };
  const approval = approvals.draft({
    ...bound,
    intentId: intent.id,
    subtaskId: intent.subtaskId,
    capsuleId: intent.capsuleId,
    kind: 'unknown',
    question: `Did this happen: ${intent.name} ${intent.target}?`,
    why: 'It had been started when the process that did it died.',
    details: JSON.stringify(intent.request, undefined, 2),
    capsuleReason: intent.reason,
    operation: intent.name,
    target: intent.target,
    tier: intent.tier,
    costMicroUsd: 0,
    binding: bindingOf(bound),
    isForced: true,
    choices: ['it_happened', 'do_it', 'abandon'],
    expiresAt: null,
  });
  approvals.insert(approval);
  const detail = { kind: 'unknown', binding: approval.binding, intent: intent.id };
  audit.append({ actor: 'policy', action: 'approval.asked', runId, ref: approval.id, detail });
  return { ...intent, status: 'unknown' };
}

/** Undefined where it can't be read; an absent file is `absent`. */
function contentOf(path: string): { readonly sha256: string; readonly bytes: number } | undefined {
  try {
    const content = readFileSync(path);
    return { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isAbsent ? { sha256: 'absent', bytes: 0 } : undefined;
  }
}
