import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';

/** A capsule, and the task kind to request. */
export interface Candidate {
  readonly capsule: Capsule;
  readonly kind: TaskKind;
}
