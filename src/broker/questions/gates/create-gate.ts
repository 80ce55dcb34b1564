import type { IntentRecord } from '../../../contract/intent.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { decideCreate } from '../../../policy/decide/decide-create.ts';
import type { Permission } from '../../../policy/decide/decision.ts';
import type { Agreed } from '../../agreed/agreed-capsules.ts';
import type { AttemptScope, RunScope } from '../../intent/scope.ts';
import { transition } from '../../intent/transitions.ts';
import { agree } from '../agree.ts';
import { ask } from '../ask.ts';
import type { QuestionContext } from '../question.ts';
import type { CapsuleGateParts } from './capsule-gate.ts';
import { endOwn, endRefused, isUnsettled, ownIntent } from './own-intent.ts';

interface NewCapsule {
  readonly manifest: {
    readonly id: string;
    readonly description: string;
    readonly [field: string]: unknown;
  };
  /** The text of its `skill.md`. */
  readonly overlay: string;
}

interface Created {
  readonly capsuleId: string;
  /** False if the gate or the approve mode approved it. */
  readonly isByPerson: boolean;
}

export type CreateGate = ReturnType<typeof createCreateGate>;

interface Creation {
  readonly scope: AttemptScope;
  readonly draft: NewCapsule;
  /** Creates it unless it exists, and returns its id, which is the draft's: after a crash it is called again. */
  readonly make: () => Promise<Omit<Agreed, 'by'>>;
  /** Called in the transaction that records it: deletes the remaining data of a removed capsule with the same id. */
  readonly begin: () => void;
}

/**
 * Creates a new capsule if that is approved. Journaled as an intent of the coordinator. `make` is not called if this run
 * created it before it was resumed.
 *
 * @returns The capsule, and whether a person approved it; undefined if it was refused.
 * @throws AppError `CANCELLED` if the run stopped while the question waited, and whatever `make` throws.
 */
export const createCreateGate =
  (parts: CapsuleGateParts) =>
  async ({ scope, draft, make, begin }: Creation): Promise<Created | undefined> => {
    const { intent, recorded } = ownIntent(scope, parts.now, {
      name: CREATE,
      target: draft.manifest.id,
      tier: 1,
      repeatability: 'idempotent',
      request: { manifest: withoutSchema(draft.manifest), overlay: draft.overlay },
    });
    if (recorded?.status === 'done') return createdOf(recorded.outcome as Made);
    if (recorded?.status === 'denied' && recorded.denial === 'denied') return undefined;
    const permission = await mayCreate(intent, draft, { scope, parts });
    if (!permission.approved) {
      endRefused(intent, permission, parts);
      return undefined;
    }
    const { step, rule, approvalId, isByPerson = false } = permission;
    const startedAt = parts.now().toISOString();
    const started = transition(intent, 'started', { step, rule, startedAt });
    parts.journal.save(started, () => parts.approvals.consumeOnce(approvalId));
    const made = await make();
    const { capsuleId } = made;
    const outcome: Made = { ok: true, capsule_id: capsuleId, is_by_person: isByPerson };
    endOwn(started, { to: 'done', outcome }, parts, () => {
      agree(parts, { ...made, by: 'create_gate' }, scope.run.id);
      parts.trust.reset(capsuleId, { actor: 'policy' });
      begin();
    });
    return createdOf(outcome);
  };

/**
 * Capsules whose creation was interrupted before its intent ended. Routing skips them, so that the resumed run asks the
 * gate again. Those of the subtask `besides` are left out.
 */
export const incompleteCapsules = (
  { coordinator }: RunScope,
  { besides }: { readonly besides?: string } = {},
): readonly string[] =>
  (coordinator.record?.left() ?? [])
    .filter((intent) => intent.name === CREATE && isUnsettled(intent))
    .filter(({ subtaskId }) => subtaskId !== besides)
    .map(({ target }) => target);

/** Without the location of the schema, which is for editors and not part of the approved content. */
const withoutSchema = ({ $schema, ...manifest }: NewCapsule['manifest']) => manifest;

const CREATE = 'capsule.create';

interface Made {
  readonly ok: true;
  readonly capsule_id: string;
  readonly is_by_person: boolean;
}

const createdOf = ({ capsule_id: capsuleId, is_by_person: isByPerson }: Made): Created => ({
  capsuleId,
  isByPerson,
});

async function mayCreate(
  intent: IntentRecord,
  draft: NewCapsule,
  context: QuestionContext,
): Promise<Permission> {
  const { id: capsuleId, description } = draft.manifest;
  const { create: gate } = context.scope.run.policy.gates;
  const decision = decideCreate({ gate, capsuleId, description });
  if (decision.kind === 'allow') return { approved: true, ...decision };
  if (decision.kind === 'deny') return { approved: false, ...decision };
  return ask(decision, { kind: 'create', details: describe(draft) }, intent, context);
}

/** The whole manifest and overlay, escaped so that no line can be forged or hidden. */
const describe = ({ manifest, overlay }: NewCapsule): string =>
  escapeText(
    `manifest.json\n${JSON.stringify(manifest, undefined, 2)}\n\nskill.md\n${overlay}`,
    true,
  );
