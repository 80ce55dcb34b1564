import { Need } from '../../../contract/permissions/need.ts';
import type { Conversation } from '../../../contract/wire/protocol.ts';
import { abilitiesLackedBy } from '../../../registry/ability/ability.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import { namedInText } from '../../../registry/files/named-in-text.ts';
import { headAndTail } from '../../../tools/files/cut-text.ts';
import type { RunContext, RunParts } from '../../context/run-context.ts';
import { taskWithNotes } from '../../context/run-hooks.ts';
import type { RunRecord } from '../../store/runs/run-record.ts';
import type { SubtaskRecord } from '../../store/subtasks/subtask-record.ts';
import type { Phase, PlanMaterial, PlannerCapsule, Step } from '../plan.ts';

/** The document that the planner gets. */
export interface PlanQuestion extends PlanMaterial {
  readonly task: string;
  readonly phase: Phase;
  /** Earlier tasks of the session, which the task may refer to. */
  readonly conversation?: Conversation;
  /** Attachments of the task, long ones without their middle. */
  readonly attachments?: readonly { name: string; bytes: number; text: string }[];
  /** The results of earlier steps; a failed one has the result `{failed: message}`. */
  readonly found: readonly { subtask_id: string; description: string; result: unknown }[];
  readonly max_subtasks: number;
  readonly named?: string;
  /** The steps to plan again, and why. */
  readonly unfinished?: readonly (Step & { status: 'failed' | 'not started' })[];
  readonly again?: 'failure' | 'message';
}

/** The document for the planner, and the messages of the person that it covers. */
export interface AskedPlan {
  readonly question: PlanQuestion;
  /** Ids of all steps of the run so far: whether they completed. */
  readonly earlier: ReadonlyMap<string, boolean>;
  readonly messageIds: readonly string[];
}

/**
 * @param again The steps to plan again and why, if the rest of a phase is planned again.
 * @param dropped Ids of steps that the new plan replaces and that are ignored.
 */
export async function planQuestion(
  run: RunContext,
  phase: Phase,
  again: Pick<PlanQuestion, 'unfinished' | 'again'> = {},
  dropped: ReadonlySet<string> = new Set(),
): Promise<AskedPlan> {
  const { parts, record } = run;
  const said = parts.messages.of(record.id);
  const messages = said.length > 0 ? { messages: said.map(({ text }) => text) } : {};
  const material = parts.recordedPlans?.material() ?? {
    ...(await planMaterial(run)),
    ...messages,
  };
  const subtasks = parts.subtasks.of(record.id).filter(({ id }) => !dropped.has(id));
  const known = new Map(parts.registry.list().map((capsule) => [capsule.id, capsule]));
  const { conversation } = record.request;
  const named = namedInText(record.task, known);
  return {
    question: {
      task: taskWithNotes(run, phase),
      phase,
      ...(conversation ? { conversation } : {}),
      ...attachmentsOf(record),
      found: subtasks.flatMap(foundIn),
      ...material,
      max_subtasks: parts.limits.maxSubtasks,
      ...(named === undefined ? {} : { named: `@${named}` }),
      ...again,
    },
    earlier: new Map(subtasks.map(({ id, status }) => [id, status === 'completed'])),
    messageIds: said.map(({ id }) => id),
  };
}

async function planMaterial({ parts }: RunContext): Promise<PlanMaterial> {
  const usable = usableCapsules(parts);
  if (!parts.provider.isModel) {
    return {
      capsules: usable.map(({ id, manifest }) => ({ id, description: manifest.description })),
    };
  }
  const files = await parts.listWorkspace?.();
  return parts.redactor.redact({ capsules: usable.map(shownCapsule), ...(files && { files }) });
}

/** The capsules that are not quarantined. */
export const usableCapsules = ({ registry, quarantine }: RunParts): readonly Capsule[] => {
  const listed = registry.list();
  const quarantined = quarantine.idsAmong(listed);
  return listed.filter(({ id }) => !quarantined.has(id));
};

/** The abilities of a capsule besides reading, with a model. */
export function abilitiesOf(capsule: Capsule): readonly Need[] {
  const lacked: readonly string[] = abilitiesLackedBy(capsule, 'agentic', Need.options);
  return Need.options.filter((need) => !lacked.includes(need));
}

const shownCapsule = (capsule: Capsule): PlannerCapsule => ({
  id: capsule.id,
  description: capsule.manifest.description,
  tools: Object.entries(capsule.manifest.grants.tools).map(([name, { operations }]) =>
    operations === undefined ? name : `${name}: ${operations.join(', ')}`,
  ),
  can: abilitiesOf(capsule),
});

/** The part of one attachment that the planner gets, in bytes. */
const PLANNED_BYTES = 4_000;

const attachmentsOf = ({ request: { attachments } }: RunRecord) =>
  attachments && {
    attachments: attachments.map(({ name, text }) => {
      const bytes = Buffer.byteLength(text);
      return { name, bytes, text: bytes > PLANNED_BYTES ? headAndTail(text, PLANNED_BYTES) : text };
    }),
  };

function foundIn({ id, description, status, result, error }: SubtaskRecord): PlanQuestion['found'] {
  const about = { subtask_id: id, description };
  if (status === 'completed') return [{ ...about, result: result ?? null }];
  if (status === 'failed') return [{ ...about, result: { failed: error?.message ?? status } }];
  return [];
}
