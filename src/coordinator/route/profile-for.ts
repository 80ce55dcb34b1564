import * as z from 'zod';
import type { AttemptScope } from '../../broker/intent/scope.ts';
import type { Policy } from '../../broker/rules/policy-snapshot.ts';
import { type Ability, abilityWords, grantWords } from '../../contract/permissions/ability.ts';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import { abilitiesOf, missingAbilities } from '../../registry/ability/ability.ts';
import type { CapsuleProfile } from '../../registry/create/capsule-factory.ts';
import { limitGrants } from '../../registry/create/limit-grants.ts';
import type { Tool } from '../../tools/define/tool.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { RunContext } from '../context/run-context.ts';
import { ownCall } from '../own-call.ts';

export interface ProfileRequest {
  readonly task: string;
  /** The abilities that it must have. Default: none in particular. */
  readonly needs?: readonly Ability[] | undefined;
}

type Grantable = Readonly<Record<string, ToolGrant>>;

/** Built when it is needed: most runs create no capsule. */
const profileSchema = (grantable: Grantable, needs: readonly Ability[]) =>
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
    grants: grantsSchema(grantable)
      .default({})
      .superRefine((grants, context) => {
        const missing = missingAbilities(limitGrants(grants, grantable), needs);
        if (missing.length === 0) return;
        const message = `the subtask needs to ${abilityWords(missing)}: grant ${grantWords(missing)}`;
        context.addIssue({ code: 'custom', message });
      }),
  });

/** Only tools and operations that may be granted; an omitted list grants nothing. */
const grantsSchema = (grantable: Grantable) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(grantable).map(([tool, most]) => [tool, grantSchema(most).optional()]),
    ),
  ) as unknown as z.ZodType<Record<string, ToolGrant>>;

function grantSchema({ operations = [], paths, hosts, commands }: ToolGrant) {
  const patterns = (what: string) => z.array(z.string().min(1)).default([]).describe(what);
  return z.object({
    operations: z.array(z.enum(operations)).default([]),
    ...(paths && { paths: patterns('Globs in the workspace: `**`, `reports/*.md`.') }),
    ...(hosts && { hosts: patterns('`api.example.com`, `*.example.com`, `*`.') }),
    ...(commands && { commands: patterns('Words: `git log **`; `**` is any command.') }),
  });
}

/**
 * Describes a capsule for a task with the model.
 *
 * @throws The errors of the coordinator's model calls.
 */
export function profileFor(
  run: Pick<RunContext, 'parts' | 'scope'>,
  { task, needs = [] }: ProfileRequest,
  caller: AttemptScope,
): Promise<CapsuleProfile> {
  const { parts } = run;
  const skills = parts.registry.skills();
  const grantable = grantableIn(run.scope.policy);
  return ownCall(parts.broker, caller, {
    name: 'profile',
    instructions: PROFILE,
    document: {
      subtask: task,
      needs,
      skills: skills.map(({ id, name, description }) => ({ id, name, description })),
      tools: grantable,
    },
    answer: profileSchema(grantable, needs),
    hint: 'balanced',
  });
}

/**
 * The most that a capsule created by a run may be granted, operation by operation: the tools inside the workspace, and the
 * web with its questions, except operations that a gate denies to every capsule.
 */
export const grantableIn = ({ gates }: Pick<Policy, 'gates'>): Grantable =>
  Object.fromEntries(
    [...toolbox.values()].flatMap((tool) => {
      const grant = mostOf(tool, gates);
      return grant === undefined ? [] : [[tool.name, grant]];
    }),
  );

function mostOf(
  { name, effects, operations, forNewCapsules }: Tool,
  gates: Policy['gates'],
): ToolGrant | undefined {
  if (forNewCapsules === undefined || (effects === 'process' && gates.execute === 'deny')) return;
  const { grant } = forNewCapsules;
  const changes = (one: string) => abilitiesOf(name, { ...grant, operations: [one] }).length > 0;
  const isReadOnly = effects === 'local' && gates.write === 'deny';
  return { operations: operations.filter((one) => !isReadOnly || !changes(one)), ...grant };
}

const PROFILE = `You describe a new capsule (a small program that works with tools) for a subtask that no existing one fits.
You get one JSON document with the subtask, what it needs, the skills, and the most that may be granted by tool. Answer with
{"id", "name", "description", "role", "examples", "skills": ids from the list, "grants": by tool {"operations", "paths",
"hosts", "commands"}}. Describe the kind of work, not this one subtask. Choose the skills whose descriptions fit. Grant the
fewest tools and operations that the kind of work needs, each as narrowly as it can be, and what is needed in any case. A list
that is left out grants nothing. Paths are globs in the workspace, commands are words such as "git log **".`;
