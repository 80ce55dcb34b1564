import type { Need } from '../../contract/need.ts';
import type { WorkspaceListing } from './workspace-listing.ts';

export interface PlannerCapsule {
  readonly id: string;
  readonly description: string;
  /** `file_io: list, read`, `sql_query`. Left out without a model. */
  readonly tools?: readonly string[];
  /** What it can do besides reading. Left out without a model. */
  readonly can?: readonly Need[];
}

/** What the planner sees of the run's surroundings. A replay uses what was recorded. */
export interface PlanMaterial {
  readonly capsules: readonly PlannerCapsule[];
  /** Left out without a model. */
  readonly files?: WorkspaceListing;
  /** What the person said since the run began; left out if nothing. */
  readonly messages?: readonly string[];
}

/** Planning in a replay: the recorded run decides what is planned when. */
export interface RecordedPlans {
  /** What the planner saw before its next plan. */
  material(): PlanMaterial;
  /** Whether the step was replaced after a message before it started. */
  isHeld(id: string): boolean;
  /** Why the unfinished steps were planned again at this point; undefined if they were not. */
  dueReplan(): 'failure' | 'message' | undefined;
}
