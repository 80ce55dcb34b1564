import type { Approval, GivenAnswer, RememberWish } from '../../contract/approval.ts';
import type { ChangeWatch } from '../../db/watch-changes.ts';
import type { Audit } from '../audit/audit.ts';
import type { Journal } from '../intent/journal.ts';
import type { ApprovalStore } from './approval-store.ts';
import { type RememberedAnswer, type RememberedAnswers, spendKey } from './remembered-answers.ts';
import { type TrustStore, trustTierOf } from './trust-store.ts';

/** Where questions are answered: the one way for a terminal, a command, the dashboard and the policy. */
export interface ApprovalDesk {
  /** Decides a question once, and keeps what is to be remembered; false where it was decided before, or is over. */
  decide(approval: Approval, given: GivenAnswer): boolean;
  /** The row as it stands once it is decided or expired, by whichever process; undefined once `signal` aborts. */
  wait(id: string, signal: AbortSignal): Promise<Approval | undefined>;
  /** Ends what is past its deadline, also where nobody waits for it. */
  expireOverdue(): void;
  /** Ends every wait: the database is about to be closed. */
  close(): void;
}

export interface DeskParts {
  readonly changes: ChangeWatch;
  readonly journal: Journal;
  readonly approvals: ApprovalStore;
  readonly remembered: RememberedAnswers;
  readonly audit: Audit;
  readonly trust: TrustStore;
}

export function createApprovalDesk(parts: DeskParts): ApprovalDesk {
  const { journal, approvals, audit } = parts;
  const watch = createWatch(parts);
  return {
    decide(approval, given) {
      let isFirst = false;
      journal.commit(() => {
        isFirst = approvals.decide(approval.id, given);
        if (!isFirst) return;
        const { answer, by, note = null } = given;
        const detail = { answer, by, note, binding: approval.binding };
        const { runId, id: ref } = approval;
        audit.append({ actor: `person:${by}`, action: 'approval.answered', runId, ref, detail });
        remember(parts, approval, given);
        if (answer === 'deny') noteDenial(parts, approval);
      });
      if (isFirst) watch.look();
      return isFirst;
    },
    wait: watch.wait,
    expireOverdue: () => void watch.expireOverdue(),
    close: watch.close,
  };
}

function remember(
  { remembered, audit }: DeskParts,
  approval: Approval,
  { answer, by, remember: wish }: GivenAnswer,
): void {
  if (!wish || approval.isForced || (answer !== 'approve' && answer !== 'deny')) return;
  const { runId, workspace, capsuleId, operation } = approval;
  const { id: ref } = remembered.add({
    answer,
    runId: wish.scope === 'run' ? runId : null,
    workspace,
    ...keyOf(approval, wish),
    mostUses: wish.mostUses,
    expiresAt: wish.expiresAt,
    createdBy: by,
  });
  const detail = { answer, capsuleId, operation, ...wish };
  audit.append({ actor: `person:${by}`, action: 'answer.remembered', runId, ref, detail });
}

/** What a remembered answer is found by: to spend, whom the money goes to; else the capsule and what it does. */
function keyOf(
  { kind, target, capsuleId, capsuleHash, operation }: Approval,
  { pattern }: RememberWish,
): Pick<RememberedAnswer, 'capsuleId' | 'capsuleHash' | 'operation' | 'pattern'> {
  if (kind === 'spend') return spendKey(target.split('/')[0] ?? target);
  return { capsuleId, capsuleHash, operation, pattern };
}

/** A person's no costs the capsule a step of trust, whichever process heard it. */
function noteDenial(
  { trust }: DeskParts,
  { kind, capsuleId, tier, intentId, runId }: Approval,
): void {
  const trustTier = trustTierOf([Math.min(tier, 2)]);
  if ((kind !== 'tool' && kind !== 'changed_file') || !trustTier || intentId === null) return;
  trust.note({ capsuleId, tier: trustTier, event: 'denial', intentId, runId });
}

interface Waiter {
  readonly id: string;
  tell(approval: Approval): void;
  giveUp(): void;
}

/** Looks at the questions that this process waits for when another connection wrote, and expires overdue ones. */
function createWatch({ changes, journal, approvals, audit }: DeskParts) {
  const waiters = new Set<Waiter>();
  let unlisten: (() => void) | undefined;

  const look = () => {
    for (const waiter of [...waiters]) {
      const approval = approvals.find(waiter.id);
      if (approval && approval.status !== 'pending') waiter.tell(approval);
    }
  };
  const expire = () => {
    journal.commit(() => {
      for (const ref of approvals.expireOverdue()) {
        const runId = approvals.find(ref)?.runId ?? null;
        audit.append({ actor: 'policy', action: 'approval.expired', runId, ref, detail: {} });
      }
    });
  };
  const expireOverdue = () => {
    const isDue = approvals.hasOverdue();
    if (isDue) expire();
    return isDue;
  };
  const onTick = (hasChanged: boolean) => {
    const hasExpired = expireOverdue();
    if (hasExpired || hasChanged) look();
  };
  const settle = () => {
    if (waiters.size > 0) unlisten ??= changes.listen(onTick);
    else {
      unlisten?.();
      unlisten = undefined;
    }
  };
  const wait = (id: string, signal: AbortSignal) =>
    new Promise<Approval | undefined>((resolve) => {
      const end = (approval?: Approval) => {
        waiters.delete(waiter);
        signal.removeEventListener('abort', stop);
        settle();
        resolve(approval);
      };
      const stop = () => end();
      const waiter: Waiter = { id, tell: end, giveUp: stop };
      if (signal.aborted) return resolve(undefined);
      signal.addEventListener('abort', stop);
      waiters.add(waiter);
      settle();
      look();
    });
  const close = () => {
    for (const { giveUp } of [...waiters]) giveUp();
  };
  return { wait, look, expireOverdue, close };
}
