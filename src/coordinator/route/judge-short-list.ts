import * as z from 'zod';
import { failedWith } from '../../contract/errors.ts';
import type { Route, RouteCandidate } from '../../registry/search/route.ts';
import type { RunContext } from '../context/run-context.ts';
import { ownCall } from '../own-call.ts';
import { callerIn, type Open } from './fill-gap.ts';

const MAX_EXAMPLES = 3;

/**
 * Lets the model choose a candidate. If its answers are invalid, the best score decides.
 *
 * @returns Without a capsule if the model says that none fits.
 * @throws The errors of the coordinator's model calls, except `MODEL_ANSWER_INVALID`.
 */
export async function judgeShortList(
  run: RunContext,
  open: Open,
  among: readonly RouteCandidate[],
): Promise<Route> {
  const { step, route } = open;
  try {
    const { choice, why } = await ownCall(run.parts.broker, callerIn(run, open), {
      name: 'judge',
      instructions: JUDGE,
      document: {
        subtask: step.description,
        candidates: among.map((candidate) => described(run, candidate)),
      },
      answer: judgement(among.map(({ capsuleId }) => capsuleId)),
      hint: 'fast',
    });
    const capsuleId = choice ?? undefined;
    return { ...route, capsuleId, decidedBy: 'model', why: why.slice(0, 500) };
  } catch (error) {
    if (!failedWith(error, 'MODEL_ANSWER_INVALID')) throw error;
    return route;
  }
}

const judgement = (ids: readonly string[]) =>
  z.object({
    choice: z
      .enum(ids)
      .nullable()
      .describe('The id of the capsule that fits, or null if none does.'),
    why: z.string().default(''),
  });

function described({ parts }: RunContext, { capsuleId, recent }: RouteCandidate) {
  const capsule = parts.registry.find(capsuleId);
  const { description = '', grants, task_kinds = [] } = capsule?.manifest ?? {};
  return {
    id: capsuleId,
    description,
    tools: Object.entries(grants?.tools ?? {}).map(([tool, { operations }]) =>
      operations ? `${tool} (${operations.join(', ')})` : tool,
    ),
    examples: (task_kinds[0]?.examples ?? []).slice(0, MAX_EXAMPLES),
    recent_attempts: recent,
  };
}

const JUDGE = `You choose which capsule does a subtask. You get one JSON document with the subtask and the candidates, best
first: what each does, its tools and some of its tasks; "recent_attempts" says how it did in this workspace.
Answer with {"choice": id or null, "why": one short sentence}. Choose null only if no candidate could do it well. A
subtask that needs no tools, because it asks to explain or translate something, fits the candidate whose subject is nearest.`;
