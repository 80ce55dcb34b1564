import type { Answer, Approval } from '../../contract/approval.ts';
import type { ChangeWatch } from '../../db/changes/watch-changes.ts';
import { trustTierOf } from '../../policy/limits/trust.ts';
import type { AgreedCapsules } from '../agreed/agreed-capsules.ts';
import type { AgreedFile } from '../agreed/agreed-files.ts';
import type { Audit } from '../audit/audit.ts';
import type { Journal } from '../intent/journal.ts';
import { agreeTo } from './agree.ts';
import type { ApprovalStore } from './approval-store.ts';
import {
  REMEMBERED,
  type RememberedAnswer,
  type RememberedAnswers,
  spendKey,
} from './remembered-answers.ts';
import type { TrustStore } from './trust-store.ts';

interface DeskParts {
  readonly changes: ChangeWatch;
  readonly journal: Journal;
  readonly approvals: ApprovalStore;
  readonly remembered: RememberedAnswers;
  readonly audit: Audit;
  readonly trust: TrustStore;
  readonly agreed: AgreedCapsules;
}

export type ApprovalDesk = ReturnType<typeof createApprovalDesk>;

/** Answers questions, for the terminal, commands, the dashboard and the policy. */
export function createApprovalDesk(parts: DeskParts) {
  const { journal } = parts;
  const watch = createWatch(parts);
  return {
    /**
     * Answers a question once, and stores an answer that is to be remembered, which also answers open questions about the same
     * request; false if it was answered before, or expired.
     *
     * @param files The approved files of a changed capsule, so that its next change can be shown.
     */
    decide(approval: Approval, given: Answer, files?: readonly AgreedFile[]): boolean {
      const isFirst = journal.commit(() => {
        if (!answerOne(parts, approval, given)) return false;
        for (const equal of equalsOf(parts, approval))
          answerOne(parts, equal, { ...given, binding: equal.binding });
        remember(parts, approval, given);
        noteDenial(parts, approval, given);
        if (given.answer === 'approve' && approval.kind === 'changed_capsule')
          agreeTo(approval, parts, files);
        return true;
      });
      if (isFirst) watch.look();
      return isFirst;
    },
    /** Closes a question that no longer shows what would be approved. */
    withdraw({ intentId }: Approval): void {
      journal.commit(() => parts.approvals.withdraw(intentId ?? ''));
      watch.look();
    },
    /** The row once it is answered or expired, by any process; undefined once the signal aborts. */
    wait: watch.wait,
    expireOverdue: () => void watch.expireOverdue(),
    /** Ends every wait, before the database is closed. */
    close: watch.close,
  };
}

/** False if it was answered before, or expired. */
function answerOne({ approvals, audit }: DeskParts, approval: Approval, given: Answer): boolean {
  if (!approvals.decide(approval.id, given)) return false;
  const { answer, by, note = null, editedSteps } = given;
  const edited = editedSteps ? { edited: true } : {};
  const detail = { answer, by, note, binding: approval.binding, ...edited };
  const { runId, id: ref } = approval;
  audit.append({ actor: `person:${by}`, action: 'approval.answered', runId, ref, detail });
  return true;
}

/** Open questions of other runs about the same change of a capsule: a person answers it once. */
const equalsOf = ({ approvals }: DeskParts, { id, kind, requestHash }: Approval) =>
  kind === 'changed_capsule'
    ? approvals
        .pending()
        .filter((one) => one.id !== id && one.kind === kind && one.requestHash === requestHash)
    : [];

function remember(
  parts: DeskParts,
  approval: Approval,
  { answer, by, remember: request }: Answer,
): void {
  if (!request || approval.isForced || (answer !== 'approve' && answer !== 'deny')) return;
  const { runId, workspace, kind, target, capsuleId, capsuleHash, operation } = approval;
  const kept = parts.remembered.add({
    answer,
    runId: request.scope === 'run' ? runId : null,
    workspace,
    ...(kind === 'spend'
      ? spendKey(target.split('/')[0] ?? target)
      : { capsuleId, capsuleHash, operation, pattern: request.pattern }),
    maxUses: request.maxUses,
    expiresAt: request.expiresAt,
    createdBy: by,
  });
  const detail = { answer, capsuleId, operation, ...request };
  const actor = `person:${by}`;
  parts.audit.append({ actor, action: 'answer.remembered', runId, ref: kept.id, detail });
  answerSame(parts, approval, kept);
}

/** Gives a remembered answer to the open questions about the request that it was stored for. */
function answerSame(
  { approvals, remembered, audit }: DeskParts,
  approval: Approval,
  { id, answer, runId: onlyRun, maxUses }: RememberedAnswer,
): void {
  const by = `${REMEMBERED}${id}`;
  const isSame = (one: Approval) =>
    sameRequest.every((key) => one[key] === approval[key]) &&
    (onlyRun === null || one.runId === onlyRun) &&
    !approvals.isOverdue(one);
  let uses = 0;
  for (const { id: question, runId, binding } of approvals.pending().filter(isSame)) {
    if (uses === maxUses) return;
    const given = { answer, by, binding };
    if (!approvals.decide(question, given)) continue;
    remembered.use(id);
    uses += 1;
    const about = { actor: 'policy', runId } as const;
    audit.append({ ...about, action: 'approval.answered', ref: question, detail: given });
    audit.append({ ...about, action: 'answer.used', ref: id, detail: { answer, question } });
  }
}

const sameRequest = [
  ...(['kind', 'requestHash', 'operation', 'capsuleId', 'capsuleHash'] as const),
  ...(['workspace', 'isForced'] as const),
];

/** A denial by a person lowers the trust in the capsule by one level. */
function noteDenial(
  { trust }: DeskParts,
  { kind, capsuleId, tier, intentId, runId }: Approval,
  { answer }: Answer,
): void {
  const isAboutCall = kind === 'tool' || kind === 'changed_file';
  const trustTier = trustTierOf([Math.min(tier, 2)]);
  if (answer !== 'deny' || !isAboutCall || !trustTier || intentId === null) return;
  trust.note({ capsuleId, tier: trustTier, event: 'denial', intentId, runId });
}

/** Checks the questions that this process waits for after another connection wrote, and expires overdue ones. */
function createWatch({ changes, journal, approvals }: DeskParts) {
  /** By question: what to call with its row, or without one to end the wait. */
  const waiters = new Set<{ readonly id: string; end(approval?: Approval): void }>();
  let unlisten: (() => void) | undefined;

  const look = () => {
    for (const waiter of [...waiters]) {
      const approval = approvals.find(waiter.id);
      if (approval && approval.status !== 'pending') waiter.end(approval);
    }
  };
  const expireOverdue = () => {
    const isDue = approvals.hasOverdue();
    if (isDue) journal.commit(approvals.expireOverdue);
    return isDue;
  };
  const onTick = (hasChanged: boolean) => {
    const hasExpired = expireOverdue();
    if (hasExpired || hasChanged) look();
  };
  const listenIfNeeded = () => {
    if (waiters.size > 0) unlisten ??= changes.listen(onTick);
    else {
      unlisten?.();
      unlisten = undefined;
    }
  };
  const wait = (id: string, signal: AbortSignal) =>
    new Promise<Approval | undefined>((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const end = (approval?: Approval) => {
        waiters.delete(waiter);
        signal.removeEventListener('abort', stop);
        listenIfNeeded();
        resolve(approval);
      };
      const stop = () => end();
      const waiter = { id, end };
      signal.addEventListener('abort', stop);
      waiters.add(waiter);
      listenIfNeeded();
      look();
    });
  const close = () => {
    for (const waiter of [...waiters]) waiter.end();
  };
  return { wait, look, expireOverdue, close };
}
