import type { Need } from '../../../contract/permissions/need.ts';
import type { WorkspaceListing } from './workspace-listing.ts';

export interface PlannerCapsule {
  readonly id: string;
  readonly description: string;
  /** `file_io: list, read`, `sql_query`. Omitted without a model. */
  readonly tools?: readonly string[];
  /** Its abilities besides reading. Omitted without a model. */
  readonly can?: readonly Need[];
}

/** The environment of the run for the planner. A replay uses the recorded one. */
export interface PlanMaterial {
  readonly capsules: readonly PlannerCapsule[];
  /** Left out without a model. */
  readonly files?: WorkspaceListing;
  /** Messages of the person since the start of the run; omitted if there are none. */
  readonly messages?: readonly string[];
}

/** Planning in a replay: follows the recorded run. */
export interface RecordedPlans {
  /** The recorded material of the next plan. */
  material(): PlanMaterial;
  /** Whether the step was replaced after a message before it started. */
  isHeld(id: string): boolean;
  /** Why the unfinished steps were planned again at this point; undefined if they were not. */
  replanReason(): 'failure' | 'message' | undefined;
}
