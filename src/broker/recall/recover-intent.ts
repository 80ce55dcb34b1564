import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Audit } from '../audit/audit.ts';
import type { FileLedger } from '../intent/file-ledger.ts';
import {
  estimateOf,
  type FileEffect,
  mustNotRepeat,
  reservationSpent,
  unreserved,
} from '../intent/record.ts';
import { transition } from '../intent/transitions.ts';
import type { ApprovalStore } from '../questions/approval-store.ts';
import { bindingOf } from '../questions/question.ts';

/** The dependencies of the recovery of intents. */
export interface RecoveryParts {
  readonly approvals: ApprovalStore;
  readonly audit: Audit;
  readonly files: FileLedger;
  readonly now: () => Date;
  readonly run: { readonly workspace: string; readonly policyVersion: string };
  readonly capsuleHash: string;
}

/**
 * Finds the status of an intent whose process died; to be called inside the journal's transaction. An intent that had not
 * started, or may be repeated, returns to `proposed`, or to `waiting` with its answer. The content of a file shows whether
 * it was written. Reserved money counts as spent. Everything else is `unknown`, and a question to a person.
 */
export function recoverIntent(intent: IntentRecord, parts: RecoveryParts): IntentRecord {
  if (intent.status === 'waiting') return unreserved(intent);
  if (intent.status === 'unknown') return intent;
  if (intent.status === 'proposed') return proposedAgain(unreserved(intent));
  if (intent.kind === 'chat') return interruptedChat(intent, parts);
  const billed = billedTool(intent);
  if (intent.repeatability === 'pure') return returned(billed, parts);
  return byFileContent(billed, parts);
}

/** The reserved price of a service counts as spent. */
const billedTool = (intent: IntentRecord): IntentRecord => ({
  ...unreserved(intent),
  costMicroUsd: intent.costMicroUsd + intent.reservedMicroUsd,
});

/** Several files are changed one after the other. After a crash between two of them, the call is repeated if that is safe. */
function byFileContent(intent: IntentRecord, parts: RecoveryParts): IntentRecord {
  const effects = (intent.effects ?? []) as readonly FileEffect[];
  const isKnown = effects.length > 0 && effects.every(({ after }) => after !== null);
  if (isKnown) {
    const found = effects.map((effect) => ({ effect, now: contentOf(effect.path) }));
    if (found.every(({ effect, now }) => now?.sha256 === effect.after))
      return performed(intent, found, parts);
    if (found.every(({ effect, now }) => now?.sha256 === effect.before))
      return returned(intent, parts);
  }
  return mustNotRepeat(intent) ? unknown(intent, parts) : returned(intent, parts);
}

/** Resets the intent to be performed (again): the answer that it was started with becomes valid again, so nobody is asked twice. */
function returned(intent: IntentRecord, { approvals, audit }: RecoveryParts): IntentRecord {
  const { id, runId } = intent;
  const answers = approvals.releaseAnswers(id);
  for (const ref of answers) {
    const detail = { intent: id };
    audit.append({ actor: 'coordinator', action: 'approval.given_back', runId, ref, detail });
  }
  return answers.length > 0
    ? transition(intent, 'waiting', { startedAt: startOf(intent) })
    : proposedAgain(intent);
}

const proposedAgain = (intent: IntentRecord): IntentRecord =>
  transition(intent, 'proposed', { startedAt: startOf(intent) });

/** A cost stays with the day on which it was paid. */
const startOf = ({ costMicroUsd, startedAt }: IntentRecord) =>
  costMicroUsd > 0 ? startedAt : null;

/** The vendor may have answered: the reservation counts as spent. */
function interruptedChat(intent: IntentRecord, { now }: RecoveryParts): IntentRecord {
  const message = 'The process that made this call died before it got an answer.';
  return transition(reservationSpent(intent), 'failed', {
    outcome: {
      ...{ approved: true, note: message, error: { code: 'INTERRUPTED', message } },
      estimated: estimateOf(intent),
    },
    endedAt: now().toISOString(),
  });
}

interface Found {
  readonly effect: FileEffect;
  readonly now: { readonly bytes: number } | undefined;
}

/** Marks the intent as done: the files have the content that the call would have written. */
function performed(
  intent: IntentRecord,
  found: readonly Found[],
  { files, now, run }: RecoveryParts,
): IntentRecord {
  const { runId, subtaskId } = intent;
  const shown = (path: string) =>
    path.startsWith(`${run.workspace}/`) ? path.slice(run.workspace.length + 1) : path;
  const isGone = ({ effect }: Found) => effect.after === 'absent';
  const removed = found.find(isGone)?.effect;
  const movedFrom = found.length > 1 ? removed?.path : undefined;
  for (const one of found.toSorted((a, b) => Number(isGone(a)) - Number(isGone(b)))) {
    const { path, after } = one.effect;
    const about = { runId, subtaskId, path, sha256: after ?? '', bytes: one.now?.bytes ?? 0 };
    const file = { ...about, wasWritten: !isGone(one), ...(!isGone(one) && { movedFrom }) };
    files.note(file);
    files.save(file);
  }
  const [written] = found.filter((one) => !isGone(one));
  const result = written
    ? {
        path: shown(written.effect.path),
        ...(movedFrom !== undefined && { from: shown(movedFrom) }),
        bytes: written.now?.bytes ?? 0,
        sha256: written.effect.after ?? '',
        ...(movedFrom === undefined
          ? { created: written.effect.before === 'absent', ...changesOf(written.effect) }
          : { replaced: written.effect.before !== 'absent' }),
      }
    : { path: shown(removed?.path ?? ''), deleted: true };
  const origin = `workspace: ${result.path}`;
  const outcome = { ok: true, result, origin };
  return transition(intent, 'done', { outcome, endedAt: now().toISOString() });
}

const changesOf = ({ changes }: FileEffect) => changes && { changes };

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
    why: 'It had started, and its process died before it ended.',
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
  return transition(intent, 'unknown');
}

/** Undefined if it can't be read; a missing file is `absent`. */
function contentOf(path: string): { readonly sha256: string; readonly bytes: number } | undefined {
  try {
    const content = readFileSync(path);
    return { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isAbsent ? { sha256: 'absent', bytes: 0 } : undefined;
  }
}
