import { failedWith } from '../../../contract/errors.ts';
import { withFullStop } from '../../../contract/text/full-stop.ts';
import type { RunContext } from '../../context/run-context.ts';
import { ownCall } from '../../own-call.ts';
import { capsuleProblem, type Phase, PlanDocument, planProblem, type Step } from '../plan.ts';
import { freeId, withFreeIds } from './free-ids.ts';
import { AGAIN_INSTRUCTIONS, FIELD_INSTRUCTIONS, INSTRUCTIONS } from './instructions.ts';
import type { AskedPlan, PlanQuestion } from './plan-question.ts';

export interface Plan {
  readonly phase: Phase;
  readonly steps: readonly Step[];
}

/**
 * Makes the plan of a phase. An invalid plan is sent back to the model once, with the reason.
 *
 * @returns Only a notice if both plans were rejected.
 * @throws The errors of `ownCall`, except `MODEL_ANSWER_INVALID`.
 */
export async function makePlan(
  { parts, record, scope }: RunContext,
  { question, earlier }: AskedPlan,
): Promise<{ readonly plan?: Plan; readonly notice?: string }> {
  try {
    const document = await ownCall(parts.broker, scope.coordinator, {
      name: 'plan',
      instructions: instructionsFor(question),
      document: question,
      answer: PlanDocument,
      hint: 'best',
      check: (answer) => problemOf(planOf(answer, question, earlier), question, earlier),
      onRefused: (problem) =>
        parts.events.emit({ type: 'plan.repaired', run_id: record.id, problem }),
    });
    const plan = planOf(document, question, earlier);
    if (!isOneStepTask(plan, question)) return { plan };
    const steps = plan.steps.map((step) => ({ ...step, description: question.task }));
    return { plan: { ...plan, steps } };
  } catch (error) {
    if (!failedWith(error, 'MODEL_ANSWER_INVALID')) throw error;
    const instead = question.again ? 'The steps stay as they are.' : 'The whole task is one step.';
    const text = `No plan was made: ${withFullStop(error.message)} ${instead}`;
    parts.events.emit({ type: 'run.noticed', run_id: record.id, text });
    return { notice: text };
  }
}

/** The fallback plan: the whole task as one step, with all results so far. */
export function wholeTask(task: string, earlier: ReadonlyMap<string, boolean> = new Map()): Plan {
  const id = freeId('s1', new Set(earlier.keys()));
  const depends_on = [...earlier].flatMap(([need, isCompleted]) => (isCompleted ? [need] : []));
  return {
    phase: 'execution',
    steps: [{ id, description: task, depends_on, writes: [], needs: [] }],
  };
}

const instructionsFor = (question: PlanQuestion): string =>
  [
    INSTRUCTIONS,
    ...Object.entries(FIELD_INSTRUCTIONS).flatMap(([field, text]) =>
      question[field as keyof typeof FIELD_INSTRUCTIONS] === undefined ? [] : [text],
    ),
    ...(question.again ? [AGAIN_INSTRUCTIONS[question.again]] : []),
  ].join('\n');

function planOf(
  { discovery, execution }: PlanDocument,
  { phase }: PlanQuestion,
  earlier: ReadonlyMap<string, boolean>,
): Plan {
  return phase === 'discovery' && discovery.length > 0
    ? { phase: 'discovery', steps: withFreeIds(discovery, earlier) }
    : { phase: 'execution', steps: withFreeIds(execution, earlier) };
}

/** Why a plan is invalid, as one sentence; undefined if it is valid. */
function problemOf(
  plan: Plan,
  question: PlanQuestion,
  earlier: ReadonlyMap<string, boolean>,
): string | undefined {
  const { steps } = plan;
  if (steps.length === 0 && question.again !== undefined) return undefined;
  return (
    planProblem(steps, [...earlier.keys()], question.max_subtasks) ??
    unnamed(plan, question) ??
    steps.map((step) => capsuleProblem(step, question.capsules)).find((one) => one !== undefined) ??
    lostFile(steps, question)
  );
}

function unnamed({ phase, steps }: Plan, { named, found }: PlanQuestion): string | undefined {
  if (named === undefined || phase === 'discovery') return undefined;
  const all = [...found, ...steps];
  return all.some(({ description }) => description.includes(named))
    ? undefined
    : `no step begins with ${named}, which the task names`;
}

function lostFile(
  steps: readonly Step[],
  { unfinished = [], again }: PlanQuestion,
): string | undefined {
  if (again !== 'failure') return undefined;
  const written = new Set(steps.flatMap(({ writes }) => writes).map(plainPath));
  const promised = unfinished.flatMap(({ writes }) => writes);
  const lost = promised.find((path) => !written.has(plainPath(path)));
  return lost && `no step writes "${lost}", which a step of the last plan should write`;
}

const plainPath = (path: string): string => path.replace(/^(?:\.\/+)+/, '');

const isOneStepTask = (
  { phase, steps }: Plan,
  { found, conversation, messages, again }: PlanQuestion,
): boolean =>
  phase === 'execution' &&
  steps.length === 1 &&
  found.length === 0 &&
  conversation === undefined &&
  messages === undefined &&
  again === undefined;
