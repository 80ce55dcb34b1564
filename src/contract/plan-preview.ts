import type { Need } from './permissions/need.ts';
import type { ModelHint } from './wire/chat.ts';

/** A plan in the form that a person sees before its steps start. The keys are those of its JSON document. */
export interface PlanPreview {
  /** If `discovery`, these steps only collect information, and the rest is planned from their results. */
  readonly phase: 'discovery' | 'execution';
  readonly steps: readonly PreviewStep[];
  readonly forecast: Forecast;
  /** The capsules that a step may name, with their abilities besides reading (omitted without a model). */
  readonly capsules: readonly { readonly id: string; readonly can?: readonly Need[] }[];
}

export interface PreviewStep {
  readonly id: string;
  readonly description: string;
  readonly depends_on: readonly string[];
  /** Those of `depends_on` whose results it does not get. Default: none. */
  readonly order_only?: readonly string[];
  /** Files that it must write. */
  readonly writes: readonly string[];
  readonly needs: readonly Need[];
  /** The capsule that would get the step now. Null: none fits. */
  readonly capsule_id: string | null;
  /** The capsule that the plan names; null if the search decides. */
  readonly capsule: string | null;
  /**
   * The state of the choice: `named` and `take` are final; `close`: a model or a person still chooses, and `capsule_id` has
   * the best score; `create`: a new capsule would be created if that is allowed; `none`: no capsule can do it.
   */
  readonly route: 'named' | 'take' | 'close' | 'create' | 'none';
  /** The hint of its model; null if no model is needed. */
  readonly hint: ModelHint | null;
}

/** The likely cost of a run, from similar completed runs. */
export interface Forecast {
  /** First and third quartile; null if there are fewer than 3 similar runs. */
  readonly cost_usd: Range | null;
  /** The same, in milliseconds. */
  readonly duration_ms: Range | null;
  /** The number of similar runs. */
  readonly runs: number;
  /** The budget of the run. */
  readonly cap_usd: number;
  /** Its models cost nothing; left out if one can. */
  readonly is_free?: true;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** The steps in the form that a person edits, and that an approving answer takes as `steps`. */
export const editableSteps = ({ steps }: Pick<PlanPreview, 'steps'>) =>
  steps.map(({ capsule_id: _, route: _route, capsule, hint, ...step }) => ({
    ...step,
    ...(capsule === null ? {} : { capsule }),
    ...(hint === null ? {} : { hint }),
  }));
