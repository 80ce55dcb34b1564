import * as z from 'zod';
import { failedWith } from '../errors.ts';
import { draftCapsule, writeCapsule } from '../registry/capsule-factory.ts';
import type { CapsuleProfile } from '../registry/capsule-profile.ts';
import { findTwin } from '../registry/find-twin.ts';
import { heuristicProfile } from '../registry/heuristic-profile.ts';
import { ToolGrant } from '../registry/manifest.ts';
import type { Route } from '../registry/route.ts';
import { grantableIn } from './grantable.ts';
import { ownCall } from './own-call.ts';
import type { Step } from './plan.ts';
import type { RunContext } from './run-context.ts';
import type { Pause } from './scheduler.ts';

/** A subtask whose capsule is not settled yet. */
export interface Open {
  readonly step: Step;
  readonly route: Route;
  readonly pause: Pause;
}

const Profile = z.object({
  id: z.string().default('').describe('Two or three lower-case words joined by hyphens.'),
  name: z.string(),
  description: z.string().describe('What the capsule does, and when to choose it.'),
  role: z.string().default('').describe('Two or three sentences on how it works, to itself: You …'),
  examples: z.array(z.string()).default([]).describe('Two or three tasks for it.'),
  skills: z.array(z.string()).default([]),
  tools: z.array(z.string()).default([]).describe('Tools without a limit of their own.'),
  grants: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('By tool: {operations, paths, hosts, commands}; each list may be left out.'),
});

/**
 * Finds a capsule for what none fits: one that is all but the one that would be made, else a new one, where a person
 * agrees to it.
 *
 * @throws What the coordinator's model calls throw.
 */
export async function fillGap(run: RunContext, open: Open): Promise<Route> {
  const { parts, scope } = run;
  const { step, route, pause } = open;
  const profile = await profileFor(run, open);
  const known = parts.registry.list();
  const judged = route.candidates.map(({ capsuleId }) => capsuleId);
  const exclude = [...parts.quarantine.idsAmong(known), ...judged];
  const twin = await findTwin(parts.registry, profile, exclude);
  if (twin) return { ...route, capsuleId: twin.capsuleId, decidedBy: 'score' };
  const draft = await draftCapsule({
    profile,
    templateDir: parts.paths.templateDir,
    targetDir: parts.paths.agentsDir,
    taken: new Set(known.map(({ id }) => id)),
    grantable: grantableIn(scope.policy),
    skills: new Set(parts.registry.skills().map(({ id }) => id)),
  });
  const make = () => writeCapsule(draft);
  const capsuleId = await parts.gate.create({ scope, subtaskId: step.id, draft, pause, make });
  if (capsuleId === undefined) return { ...route, capsuleId: undefined, candidates: [] };
  await parts.registry.sync();
  return { ...route, zone: 'create', capsuleId, decidedBy: 'person' };
}

/** By the model; where its answer can't be used, by what the words of the subtask call for. */
async function profileFor(run: RunContext, open: Open): Promise<CapsuleProfile> {
  const { parts } = run;
  const { description } = open.step;
  const skills = parts.registry.skills();
  const tools = Object.keys(grantableIn(run.scope.policy));
  try {
    const answer = await ownCall(parts.broker, callerIn(run, open), {
      name: 'profile',
      instructions: PROFILE,
      document: { subtask: description, skills: skills.map(withoutPath), tools },
      answer: Profile,
      hint: 'balanced',
    });
    return { ...answer, grants: grantsOf(answer) };
  } catch (error) {
    if (!failedWith(error, 'MODEL_ANSWER_INVALID')) throw error;
    return heuristicProfile(description, { skills, tools });
  }
}

const withoutPath = ({
  id,
  name,
  description,
}: {
  id: string;
  name: string;
  description: string;
}) => ({
  id,
  name,
  description,
});

/** A grant that is none is left out. */
function grantsOf({ tools, grants }: z.output<typeof Profile>): Record<string, ToolGrant> {
  const named = tools.map((tool) => [tool, {}] as const);
  const limited = Object.entries(grants).flatMap(([tool, grant]) => {
    const parsed = ToolGrant.safeParse(grant);
    return parsed.success ? [[tool, parsed.data] as const] : [];
  });
  return Object.fromEntries([...named, ...limited]);
}

/** The coordinator's own calls about one subtask: while one waits for a person, other subtasks go on. */
export const callerIn = ({ scope }: RunContext, { step, pause }: Pick<Open, 'step' | 'pause'>) => ({
  ...scope.coordinator,
  subtaskId: step.id,
  pause,
});

const PROFILE = `You describe a new capsule (a small program that works with tools) for a subtask that no existing one fits.
You get one JSON document with the subtask, the skills and the tools that exist. Answer with {"id", "name", "description",
"role", "examples", "skills": ids from the list, "grants": by tool from the list {"operations", "paths", "hosts", "commands"}}.
Describe the kind of work, not this one subtask. Choose the skills whose descriptions fit. Grant the fewest tools that the
kind of work needs, each as narrowly as it can be; a list that is left out means all that may be granted. Paths are globs in the
workspace, commands are words such as "git log **".`;
