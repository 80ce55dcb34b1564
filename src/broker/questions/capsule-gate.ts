import type { IntentRecord } from '../../contract/intent.ts';
import { CONTINUE } from '../../hooks/hook.ts';
import type { BrokerParts } from '../calls/parts.ts';
import { aboutIntent, openIntent } from '../intent/record.ts';
import type { AttemptScope, Pause, RunScope } from '../intent/scope.ts';
import { beforeApproval } from './approval-hooks.ts';
import { askPerson } from './ask-person.ts';
import { draftQuestion, standingQuestion } from './settle.ts';

/** A capsule as the person knows it: its files, and what they come to. */
export interface SeenCapsule {
  readonly id: string;
  readonly dir: string;
  readonly hash: string;
  /** What ships with Capstan is agreed to as it is. */
  readonly isShipped: boolean;
  /** What its manifest grants it, for the question. */
  readonly grants: unknown;
}

export interface CapsuleGate {
  /**
   * Whether a capsule may run: one whose files changed since a person agreed to them is asked about once, and starts
   * again as supervised.
   *
   * @throws AppError `CANCELLED` where the run left off while the question waited.
   */
  mayRun(wish: {
    readonly scope: RunScope;
    readonly subtaskId: string;
    readonly capsule: SeenCapsule;
    readonly pause: Pause;
  }): Promise<boolean>;
}

export function createCapsuleGate(parts: BrokerParts): CapsuleGate {
  return {
    async mayRun({ scope: run, subtaskId, capsule, pause }) {
      if (capsule.isShipped) return true;
      const known = parts.agreed.hashOf(capsule.id, capsule.dir);
      if (known === capsule.hash) return true;
      if (known === undefined) {
        parts.journal.note(() => agree(parts, capsule, 'first_seen'));
        return true;
      }
      const scope = { ...run.coordinator, subtaskId, pause, capsuleHash: capsule.hash };
      return ask(capsule, known, { scope, parts });
    },
  };
}

/** Kept with the transaction that it is part of. */
function agree({ agreed, audit }: BrokerParts, capsule: SeenCapsule, by: string): void {
  const { id: capsuleId, dir, hash } = capsule;
  agreed.agree({ capsuleId, dir, hash, by });
  const detail = { dir, hash, by };
  audit.append({ actor: by, action: 'capsule.agreed', runId: null, ref: capsuleId, detail });
}

async function ask(
  capsule: SeenCapsule,
  known: string,
  where: { readonly scope: AttemptScope; readonly parts: BrokerParts },
): Promise<boolean> {
  const { scope, parts } = where;
  const fresh = openIntent(scope, parts.now, {
    kind: 'tool',
    name: 'capsule.run',
    target: capsule.id,
    tier: 2,
    repeatability: 'pure',
    request: { capsule: capsule.id, dir: capsule.dir, from: known, to: capsule.hash },
    reason: '',
  });
  const recorded = scope.record?.take(undefined, fresh.requestHash);
  const intent = recorded?.status === 'waiting' ? recorded : fresh;
  const drafted = draftQuestion(questionAbout(capsule), intent, {
    asked: { kind: 'changed_capsule', details: describe(capsule, known) },
    where,
  });
  const standing = standingQuestion(drafted, where);
  const verdict = standing ? CONTINUE : await beforeApproval(drafted, where);
  const { answer, id } =
    verdict.kind === 'deny'
      ? { answer: 'deny', id: '' }
      : await askPerson(standing ?? drafted, intent, where);
  const isAgreed = answer === 'approve';
  const endedAt = parts.now().toISOString();
  const status = isAgreed ? 'done' : 'denied';
  const denial = isAgreed ? null : 'denied';
  const decided = { status, step: 2, rule: 'capsule_changed', denial, endedAt } as const;
  parts.journal.save({ ...intent, ...decided, outcome: { ok: isAgreed } }, () => {
    if (!isAgreed) return;
    if (!parts.approvals.consume(id)) throw new Error(`the answer ${id} was used before`);
    agree(parts, capsule, 'person');
    parts.trust.reset(capsule.id, { actor: 'policy' });
  });
  if (!isAgreed) tellDenial(intent, parts);
  return isAgreed;
}

const questionAbout = ({ id, dir }: SeenCapsule) => ({
  question: `Run the capsule "${id}", whose files changed since you agreed to them?`,
  sentence: `What lies in ${dir} is not what it was. It starts again without trust.`,
  forced: true,
});

const describe = ({ dir, hash, grants }: SeenCapsule, known: string): string =>
  [
    `folder: ${dir}`,
    `agreed to: ${known}`,
    `now: ${hash}`,
    'granted by its manifest:',
    JSON.stringify(grants, undefined, 2),
  ].join('\n');

function tellDenial(intent: IntentRecord, { events }: BrokerParts): void {
  const what = `capsule.run ${intent.target}`;
  const sentence = 'Its files changed, and a person did not agree to them.';
  events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason: 'denied', sentence });
}
