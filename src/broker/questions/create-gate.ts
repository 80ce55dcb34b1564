import type { IntentRecord } from '../../contract/intent.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { decideCreate } from '../../policy/decide-create.ts';
import type { BrokerParts } from '../calls/parts.ts';
import { openIntent } from '../intent/record.ts';
import type { AttemptScope, Pause, RunScope } from '../intent/scope.ts';
import { settle } from './settle.ts';
import { type Settlement, settlementOf } from './settlement.ts';

/** All that a new capsule will be, as its files will say it. */
export interface NewCapsule {
  readonly manifest: {
    readonly id: string;
    readonly description: string;
    readonly [field: string]: unknown;
  };
  /** The text of its `skill.md`. */
  readonly overlay: string;
}

export interface CreateGate {
  /**
   * Makes a new capsule where that is agreed to: a question like any other, journaled as an intent of the coordinator.
   *
   * @param make Makes it where it is not there yet, and returns its id, which is the draft's: after a crash it is called
   *   once more. Not called again where a run that goes on had made it before.
   * @param begin Called in the transaction that says that it is made: an earlier one of its id, which is gone, may have
   *   left something that would count for this one.
   * @returns The capsule, and whether a person agreed to it; undefined where nobody did.
   * @throws AppError `CANCELLED` where the run left off while the question waited, and what `make` throws.
   */
  create(wish: {
    readonly scope: RunScope;
    readonly subtaskId: string;
    readonly draft: NewCapsule;
    readonly pause: Pause;
    readonly make: () => Promise<{
      readonly id: string;
      readonly dir: string;
      readonly hash: string;
    }>;
    readonly begin: () => void;
  }): Promise<Created | undefined>;
}

export interface Created {
  readonly capsuleId: string;
  /** False where the gate or the approve mode said yes. */
  readonly isByPerson: boolean;
}

export function createCreateGate(parts: BrokerParts): CreateGate {
  return {
    async create({ scope: run, subtaskId, draft, pause, make, begin }) {
      const scope = { ...run.coordinator, subtaskId, pause };
      const fresh = openIntent(scope, parts.now, {
        kind: 'tool',
        name: CREATE,
        target: draft.manifest.id,
        tier: 1,
        repeatability: 'idempotent',
        request: { manifest: withoutSchema(draft.manifest), overlay: draft.overlay },
        reason: '',
      });
      const recorded = scope.record?.take(undefined, fresh.requestHash);
      if (recorded?.status === 'done') return createdOf(recorded.outcome as Made);
      if (recorded?.status === 'denied' && recorded.denial === 'denied') return undefined;
      const intent = recorded && isUnsettled(recorded) ? recorded : fresh;
      const settlement = await mayCreate(intent, draft, { scope, parts });
      if (!settlement.approved) {
        const { step, rule, reason: denial } = settlement;
        const endedAt = parts.now().toISOString();
        const outcome = { ok: false };
        const decided = { status: 'denied', step, rule, denial, outcome, endedAt } as const;
        parts.journal.save({ ...intent, ...decided });
        return undefined;
      }
      const { step, rule, approvalId, isByPerson = false } = settlement;
      const startedAt = parts.now().toISOString();
      const started = { ...intent, status: 'started', step, rule, startedAt } as const;
      parts.journal.save(started, () => {
        if (approvalId !== undefined && !parts.approvals.consume(approvalId))
          throw new Error(`the answer ${approvalId} was used before`);
      });
      const { id: capsuleId, dir, hash } = await make();
      const outcome: Made = { ok: true, capsule_id: capsuleId, is_by_person: isByPerson };
      const endedAt = parts.now().toISOString();
      parts.journal.save({ ...started, status: 'done', outcome, endedAt }, () => {
        const by = 'create_gate';
        parts.agreed.agree({ capsuleId, dir, hash, by });
        const detail = { dir, hash, by };
        const about = { action: 'capsule.agreed', runId: run.id, ref: capsuleId, detail };
        parts.audit.append({ actor: by, ...about });
        parts.trust.reset(capsuleId, { actor: 'policy' });
        begin();
      });
      return createdOf(outcome);
    },
  };
}

/**
 * Capsules that an earlier life of the run was about to make, or had made without a row that says so. Whoever looks for
 * a capsule leaves them out, so that the run comes back to the gate that settles them. `besides` is a subtask whose own
 * is not meant.
 */
export const halfMadeIn = (
  { coordinator }: RunScope,
  { besides }: { readonly besides?: string } = {},
): readonly string[] =>
  (coordinator.record?.left() ?? [])
    .filter((intent) => intent.name === CREATE && isUnsettled(intent))
    .filter(({ subtaskId }) => subtaskId !== besides)
    .map(({ target }) => target);

/** Where the schema lies is for editors, and no part of what is agreed to. */
const withoutSchema = ({ $schema, ...manifest }: NewCapsule['manifest']) => manifest;

const CREATE = 'capsule.create';

const isUnsettled = ({ status }: IntentRecord): boolean =>
  status === 'waiting' || status === 'proposed';

interface Made {
  readonly ok: true;
  readonly capsule_id: string;
  readonly is_by_person?: boolean;
}

const createdOf = ({ capsule_id, is_by_person = true }: Made): Created => ({
  capsuleId: capsule_id,
  isByPerson: is_by_person,
});

async function mayCreate(
  intent: IntentRecord,
  draft: NewCapsule,
  where: { readonly scope: AttemptScope; readonly parts: BrokerParts },
): Promise<Settlement> {
  const { id: capsuleId, description } = draft.manifest;
  const { create: gate } = where.scope.run.policy.gates;
  const decision = decideCreate({ gate, capsuleId, description });
  if (decision.kind !== 'ask') return settlementOf(decision);
  const isAdopted = intent.status === 'waiting';
  return settle(decision, intent, { kind: 'create', details: describe(draft), isAdopted }, where);
}

/** The whole manifest and overlay. What could forge or hide a line is escaped here already, for whoever shows it. */
const describe = ({ manifest, overlay }: NewCapsule): string =>
  escapeText(
    `manifest.json\n${JSON.stringify(manifest, undefined, 2)}\n\nskill.md\n${overlay}`,
    true,
  );
