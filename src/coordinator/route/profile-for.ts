import * as z from 'zod';
import type { AttemptScope } from '../../broker/intent/scope.ts';
import { failedWith } from '../../contract/errors.ts';
import { ToolGrant } from '../../contract/grant.ts';
import type { CapsuleProfile } from '../../registry/create/capsule-profile.ts';
import { heuristicProfile } from '../../registry/create/heuristic-profile.ts';
import { grantableIn } from '../grantable.ts';
import { ownCall } from '../own-call.ts';
import type { RunContext } from '../run-context.ts';

/** Built when it is needed: most runs create no capsule. */
const profileSchema = () =>
  z.object({
    id: z.string().default('').describe('Two or three lower-case words joined by hyphens.'),
    name: z.string(),
    description: z.string().describe('What the capsule does, and when to choose it.'),
    role: z
      .string()
      .default('')
      .describe('Two or three sentences on how it works, to itself: You …'),
    examples: z.array(z.string()).default([]).describe('Two or three tasks for it.'),
    skills: z.array(z.string()).default([]),
    tools: z.array(z.string()).default([]).describe('Tools without a limit of their own.'),
    grants: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('By tool: {operations, paths, hosts, commands}; each list may be left out.'),
  });

/**
 * Describes a capsule for a task. The model does it; if its answer can't be used, the words of the task decide.
 *
 * @throws What the coordinator's model calls throw, except `MODEL_ANSWER_INVALID`.
 */
export async function profileFor(
  run: Pick<RunContext, 'parts' | 'scope'>,
  task: string,
  caller: AttemptScope,
): Promise<CapsuleProfile> {
  const { parts } = run;
  const skills = parts.registry.skills();
  const tools = Object.keys(grantableIn(run.scope.policy));
  try {
    const answer = await ownCall(parts.broker, caller, {
      name: 'profile',
      instructions: PROFILE,
      document: { subtask: task, skills: skills.map(withoutPath), tools },
      answer: profileSchema(),
      hint: 'balanced',
    });
    return { ...answer, grants: grantsOf(answer) };
  } catch (error) {
    if (!failedWith(error, 'MODEL_ANSWER_INVALID')) throw error;
    return heuristicProfile(task, { skills, tools });
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

/** Leaves out invalid grants. */
function grantsOf({
  tools,
  grants,
}: z.output<ReturnType<typeof profileSchema>>): Record<string, ToolGrant> {
  const named = tools.map((tool) => [tool, {}] as const);
  const limited = Object.entries(grants).flatMap(([tool, grant]) => {
    const parsed = ToolGrant.safeParse(grant);
    return parsed.success ? [[tool, parsed.data] as const] : [];
  });
  return Object.fromEntries([...named, ...limited]);
}

const PROFILE = `You describe a new capsule (a small program that works with tools) for a subtask that no existing one fits.
You get one JSON document with the subtask, the skills and the tools that exist. Answer with {"id", "name", "description",
"role", "examples", "skills": ids from the list, "grants": by tool from the list {"operations", "paths", "hosts", "commands"}}.
Describe the kind of work, not this one subtask. Choose the skills whose descriptions fit. Grant the fewest tools that the
kind of work needs, each as narrowly as it can be; a list that is left out means all that may be granted. Paths are globs in the
workspace, commands are words such as "git log **".`;
