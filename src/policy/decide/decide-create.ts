import type { GateMode } from '../../contract/permissions/gate.ts';
import { allow, type Decision } from './decision.ts';

export interface CreateFacts {
  readonly gate: GateMode;
  readonly capsuleId: string;
  readonly description: string;
}

/** Decides whether a new capsule is created: a person is asked, unless the gate decides. */
export function decideCreate({ gate, capsuleId, description }: CreateFacts): Decision {
  if (gate === 'deny') {
    const sentence = 'No new capsule is created: CAPSTAN_CREATE_GATE is set to deny.';
    return { kind: 'deny', step: 1, rule: 'gate_deny', reason: 'denied', sentence };
  }
  if (gate === 'allow') return allow(4, 'gate_allow', 'CAPSTAN_CREATE_GATE is set to allow.');
  return {
    kind: 'ask',
    ...(gate === 'ask' ? { step: 4, rule: 'gate_ask' } : { step: 5, rule: 'create_capsule' }),
    question: `Allow this run to create the capsule "${capsuleId}" (${description})?`,
    sentence: `No capsule fits; a new one, "${capsuleId}", would be created.`,
    forced: false,
  };
}
