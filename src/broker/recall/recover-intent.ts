import { readFileSync } from 'node:fs';
import type { IntentRecord } from '../../contract/intent.ts';
import { isInside, shownPath } from '../../platform/files/inside.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { codeOf } from '../../platform/try-or.ts';
import type { FileLedger } from '../intent/file-ledger.ts';
import {
  estimateOf,
  type FileEffect,
  fileEffectsOf,
  mustNotRepeat,
  reservationSpent,
  unreserved,
} from '../intent/record.ts';
import { transition } from '../intent/transitions.ts';
import type { ApprovalStore } from '../questions/approval-store.ts';
import { questionRow, unknownOutcome } from '../questions/question.ts';

interface RecoveryParts {
  readonly approvals: ApprovalStore;
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
  // The reserved price of a service counts as spent.
  const costMicroUsd = intent.costMicroUsd + intent.reservedMicroUsd;
  const billed = { ...unreserved(intent), costMicroUsd };
  return intent.repeatability === 'pure' ? returned(billed, parts) : byFileContent(billed, parts);
}

/** Several files are changed one after the other. After a crash between two of them, the call is repeated if that is safe. */
function byFileContent(intent: IntentRecord, parts: RecoveryParts): IntentRecord {
  const effects = fileEffectsOf(intent);
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
const returned = (intent: IntentRecord, { approvals }: RecoveryParts): IntentRecord =>
  approvals.releaseAnswers(intent.id)
    ? transition(intent, 'waiting', { startedAt: startOf(intent) })
    : proposedAgain(intent);

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
      approved: true,
      note: message,
      error: { code: 'INTERRUPTED', message },
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
    isInside(run.workspace, path) ? shownPath(run.workspace, path) : path;
  const isGone = ({ effect }: Found) => effect.after === 'absent';
  const removed = found.find(isGone)?.effect;
  const movedFrom = found.length > 1 ? removed?.path : undefined;
  for (const one of found.toSorted((a, b) => Number(isGone(a)) - Number(isGone(b)))) {
    const { path, before, after } = one.effect;
    const sha256 = after ?? '';
    const about = { runId, subtaskId, path, before, sha256, bytes: one.now?.bytes ?? 0 };
    const file = { ...about, wasWritten: !isGone(one), ...(!isGone(one) && { movedFrom }) };
    files.note(file);
    files.save(file);
  }
  const [written] = found.filter((one) => !isGone(one));
  const path = shown((written?.effect ?? removed)?.path ?? '');
  const outcome = {
    ok: true,
    result: {
      path,
      ...(written ? resultOf(written, movedFrom && shown(movedFrom)) : { deleted: true }),
    },
    origin: `workspace: ${path}`,
  };
  return transition(intent, 'done', { outcome, endedAt: now().toISOString() });
}

const resultOf = ({ effect, now }: Found, from: string | undefined) => ({
  ...(from !== undefined && { from }),
  bytes: now?.bytes ?? 0,
  sha256: effect.after ?? '',
  ...(from === undefined
    ? { created: effect.before === 'absent', ...(effect.changes && { changes: effect.changes }) }
    : { replaced: effect.before !== 'absent' }),
});

function unknown(intent: IntentRecord, parts: RecoveryParts): IntentRecord {
  const { approvals, capsuleHash } = parts;
  const { workspace, policyVersion } = parts.run;
  const bound = { workspace, policyVersion, capsuleHash };
  approvals.open(approvals.draft(questionRow(...unknownOutcome(intent), intent, bound)));
  return transition(intent, 'unknown');
}

/** Undefined if it can't be read; a missing file is `absent`. */
function contentOf(path: string): { readonly sha256: string; readonly bytes: number } | undefined {
  try {
    const content = readFileSync(path);
    return { sha256: sha256(content), bytes: content.length };
  } catch (error) {
    const isAbsent = codeOf(error) === 'ENOENT';
    return isAbsent ? { sha256: 'absent', bytes: 0 } : undefined;
  }
}
