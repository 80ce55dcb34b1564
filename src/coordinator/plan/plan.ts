import * as z from 'zod';
import { Need } from '../../contract/permissions/need.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { ModelHint } from '../../contract/wire/chat.ts';
import type { WorkspaceListing } from './make/workspace-listing.ts';

/** In characters. */
export const MAX_ID_LENGTH = 64;

export const Step = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'must be a short word such as s1')
    .describe('Short and unique in the run: s1, s2.'),
  description: z
    .string()
    .trim()
    .min(1)
    .max(8_000)
    .describe(
      'The whole subtask in itself: a capsule sees only this and the results it depends on.',
    ),
  depends_on: z
    .array(z.string())
    .default([])
    .describe('Ids of the steps that it waits for, and whose results it gets.'),
  order_only: z
    .array(z.string())
    .optional()
    .describe('Those of depends_on that it only waits for: it does not get their results.'),
  capsule: z
    .string()
    .max(64)
    .optional()
    .describe('The id of the capsule that does it. Left out: the search decides.'),
  writes: z
    .array(z.string().trim().min(1).max(1_000))
    .max(100)
    .default([])
    .describe('Paths of the files that it must write, relative to the workspace.'),
  needs: z.array(Need).default([]).describe('What its capsule must be able to do.'),
});
export type Step = z.infer<typeof Step> & {
  /** The hint, if a person chose another one than its capsule's. */
  readonly hint?: ModelHint | undefined;
};

/** A step of a plan that a person edited. */
export const EditedStep = z.strictObject({
  ...Step.shape,
  hint: ModelHint.optional().describe('The class of model. Left out: as the capsule has it.'),
});
export type EditedStep = z.input<typeof EditedStep>;

/** A plan. If `discovery` is not empty, it is run first, and execution is planned again from its results. */
export const PlanDocument = z.object({
  discovery: z.array(Step).default([]),
  execution: z.array(Step).default([]),
});
export type PlanDocument = z.infer<typeof PlanDocument>;

export type Phase = 'discovery' | 'execution';

/** The environment of the run for the planner. A replay uses the recorded one. */
export interface PlanMaterial {
  readonly capsules: readonly PlannerCapsule[];
  /** Left out without a model. */
  readonly files?: WorkspaceListing;
  /** Messages of the person since the start of the run; omitted if there are none. */
  readonly messages?: readonly string[];
}

export interface PlannerCapsule {
  readonly id: string;
  readonly description: string;
  /** `file_io: list, read`, `sql_query`. Omitted without a model. */
  readonly tools?: readonly string[];
  /** Its abilities besides reading. Omitted without a model. */
  readonly can?: readonly Need[];
}

/**
 * The reason why these steps can't be executed, as one sentence; undefined if they can.
 *
 * @param known Ids of earlier steps of the run, which these may depend on.
 */
export function planProblem(
  steps: readonly Step[],
  known: readonly string[],
  maxSubtasks: number,
): string | undefined {
  if (steps.length === 0) return 'it has no step';
  if (steps.length > maxSubtasks) {
    return `it has ${steps.length} steps, and ${maxSubtasks} are allowed in a phase (CAPSTAN_MAX_SUBTASKS)`;
  }
  const ids = new Set(known);
  for (const { id } of steps) {
    if (ids.has(id)) return `the id "${id}" is used twice`;
    ids.add(id);
  }
  for (const { id, depends_on } of steps) {
    const unknown = depends_on.find((need) => !ids.has(need));
    if (unknown !== undefined) return `"${id}" depends on "${unknown}", which does not exist`;
  }
  const stuck = neverReady(steps, known);
  if (stuck.length > 0) return `these steps depend on each other: ${stuck.join(', ')}`;
  return undefined;
}

/** Why a step can't be done by the capsule that it names, as one sentence; undefined if it can. */
export function capsuleProblem(
  { id, capsule, needs }: Step,
  capsules: readonly Pick<PlannerCapsule, 'id' | 'can'>[],
): string | undefined {
  if (capsule === undefined) return undefined;
  const named = capsules.find((one) => one.id === capsule);
  if (!named) {
    const known = capsules.map((one) => one.id).join(', ');
    return `"${id}" names the capsule "${escapeText(capsule)}", which does not exist. There are: ${known}`;
  }
  const missing = needs.find((need) => named.can?.includes(need) === false);
  return missing && `"${id}" needs "${missing}", which the capsule "${capsule}" can't do`;
}

/** Ids of the steps that could never start, because they wait for each other. */
function neverReady(steps: readonly Step[], known: readonly string[]): string[] {
  const done = new Set(known);
  let waiting = [...steps];
  for (;;) {
    const ready = waiting.filter(({ depends_on }) => depends_on.every((need) => done.has(need)));
    if (ready.length === 0) return waiting.map(({ id }) => id);
    for (const { id } of ready) done.add(id);
    waiting = waiting.filter(({ id }) => !done.has(id));
  }
}
