import { decideCreate } from '../policy/decide-create.ts';
import { openIntent } from './open-intent.ts';
import type { BrokerParts } from './parts.ts';
import type { Pause, RunScope } from './scope.ts';
import { settle } from './settle.ts';

export interface NewCapsule {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly skills: readonly string[];
  readonly tools: readonly string[];
}

export interface CreateGate {
  /** Whether a new capsule may be made. */
  mayCreate(wish: {
    readonly scope: RunScope;
    readonly subtaskId: string;
    readonly profile: NewCapsule;
    readonly pause: Pause;
  }): Promise<boolean>;
}

/** The gate before a new capsule: a question like any other, journaled as an intent of the coordinator. */
export function createCreateGate(parts: BrokerParts): CreateGate {
  return {
    async mayCreate({ scope: run, subtaskId, profile, pause }) {
      const scope = { ...run.coordinator, subtaskId, pause };
      const intent = openIntent(scope, parts.now, {
        kind: 'tool',
        name: 'capsule.create',
        target: profile.id,
        tier: 1,
        request: profile,
        reason: '',
      });
      const settlement = await settle(
        decideCreate({
          gate: run.policy.gates.create,
          capsuleId: profile.id,
          description: profile.description,
        }),
        intent,
        { kind: 'create', details: JSON.stringify(profile, undefined, 2) },
        { scope, parts },
      );
      const endedAt = parts.now().toISOString();
      const status = settlement.approved ? 'done' : 'denied';
      const denial = settlement.approved ? null : settlement.reason;
      parts.journal.save({ ...intent, status, rule: settlement.rule, denial, endedAt });
      return settlement.approved;
    },
  };
}
