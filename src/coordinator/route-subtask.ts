import * as z from 'zod';
import { AppError } from '../errors.ts';
import { createCapsule } from '../registry/capsule-factory.ts';
import type { Route } from '../registry/route.ts';
import { ownCall } from './own-call.ts';
import type { Candidate } from './perform-subtask.ts';
import type { Step } from './plan.ts';
import type { RunContext } from './run-context.ts';
import type { Pause } from './scheduler.ts';

const Judgement = z.object({
  choice: z
    .string()
    .nullable()
    .describe('The id of the capsule that fits, or null where none does.'),
  why: z.string().default(''),
});

const Profile = z.object({
  id: z.string().describe('Two or three lower-case words joined by hyphens.'),
  name: z.string(),
  description: z.string().describe('What the capsule does, and when to choose it.'),
  skills: z.array(z.string()).default([]),
  tools: z.array(z.string()).default([]),
});

/**
 * Finds the capsules for one subtask, best first, and keeps the routing receipt.
 *
 * @throws AppError `NO_CAPSULE_FITS`, `CAPSULE_UNKNOWN`, and what the coordinator's model calls throw.
 */
export async function routeSubtask(
  run: RunContext,
  step: Step,
  pause: Pause,
): Promise<readonly Candidate[]> {
  const { parts, record, namedCapsule } = run;
  const recorded = run.isResumed ? recordedRoute(run, step) : [];
  if (recorded.length > 0) return recorded;
  const found = await parts.registry.route(step.description, {
    model: parts.provider.isModel,
    exclude: [...parts.quarantine.idsAmong(parts.registry.list())],
    ...(namedCapsule === undefined ? {} : { named: namedCapsule }),
  });
  const route = await settle(run, { step, route: found, pause });
  const [first, ...others] = toCandidates(run, route);
  if (!first) {
    const problem = parts.provider.isModel
      ? 'none is near enough, and none was created'
      : 'without a language model only what the shipped capsules do by themselves can be done (choose a model with --provider)';
    throw new AppError('NO_CAPSULE_FITS', { subtask: step.description, problem });
  }
  const { capsule, kind } = first;
  assertFewCapsules(run, capsule.id);
  parts.journal.note(() =>
    parts.subtasks.route(record.id, step.id, {
      capsuleId: capsule.id,
      taskKind: kind.name,
      receipt: route,
    }),
  );
  parts.events.emit({
    type: 'subtask.routed',
    run_id: record.id,
    subtask_id: step.id,
    capsule_id: capsule.id,
    zone: route.zone,
    score: route.candidates[0]?.score ?? 1,
  });
  return [first, ...others];
}

/** @throws AppError `CAPSULES_EXHAUSTED` where the run would use one capsule too many. */
function assertFewCapsules({ parts, record }: RunContext, id: string): void {
  const used = new Set(parts.subtasks.of(record.id).flatMap(({ capsuleId }) => capsuleId ?? []));
  const limit = parts.limits.maxCapsules;
  if (!used.has(id) && used.size >= limit) throw new AppError('CAPSULES_EXHAUSTED', { limit });
}

/** A receipt that was kept before the run was interrupted decides again. */
function recordedRoute(run: RunContext, step: Step): readonly Candidate[] {
  const { parts, record } = run;
  const subtask = parts.subtasks.of(record.id).find(({ id }) => id === step.id);
  return subtask?.route ? toCandidates(run, subtask.route as Route) : [];
}

interface Open {
  readonly step: Step;
  readonly route: Route;
  readonly pause: Pause;
}

/** Settles what the score leaves open: with a model, a close call is judged and a gap is filled behind the gate. */
async function settle(run: RunContext, open: Open): Promise<Route> {
  const { route } = open;
  if (!run.parts.provider.isModel || route.zone === 'take' || route.zone === 'named') return route;
  return route.zone === 'close' ? judgeShortList(run, open) : fillGap(run, open);
}

async function judgeShortList(run: RunContext, open: Open): Promise<Route> {
  const { step, route } = open;
  const candidates = route.candidates.map(({ capsuleId }) => ({
    id: capsuleId,
    description: run.parts.registry.find(capsuleId)?.manifest.description ?? '',
  }));
  const { choice } = await ownCall(run.parts.broker, callerIn(run, open), {
    name: 'judge',
    instructions: JUDGE,
    document: { subtask: step.description, candidates },
    answer: Judgement,
    hint: 'fast',
  });
  const chosen = route.candidates.find(({ capsuleId }) => capsuleId === choice);
  if (!chosen) return fillGap(run, open);
  return { ...route, capsuleId: chosen.capsuleId, decidedBy: 'model' };
}

/** The coordinator's own calls about one subtask: while one waits for a person, other subtasks go on. */
const callerIn = ({ scope }: RunContext, { step, pause }: Pick<Open, 'step' | 'pause'>) => ({
  ...scope.coordinator,
  subtaskId: step.id,
  pause,
});

/** Creates a capsule for what none fits, where a person agrees. */
async function fillGap(run: RunContext, { step, route, pause }: Open): Promise<Route> {
  const { parts, scope } = run;
  const nothing = { ...route, capsuleId: undefined, candidates: [] };
  const skills = parts.registry.skills();
  const profile = await ownCall(parts.broker, callerIn(run, { step, pause }), {
    name: 'profile',
    instructions: PROFILE,
    document: { subtask: step.description, skills, tools: [...parts.tools.keys()] },
    answer: Profile,
    hint: 'balanced',
  });
  const make = () =>
    createCapsule({
      profile,
      templateDir: parts.paths.templateDir,
      targetDir: parts.paths.agentsDir,
      taken: new Set(parts.registry.list().map(({ id }) => id)),
      grantable: grantableTools,
      skills: new Set(skills.map(({ id }) => id)),
    });
  const capsuleId = await parts.gate.create({ scope, subtaskId: step.id, profile, pause, make });
  if (capsuleId === undefined) return nothing;
  await parts.registry.sync();
  return { ...route, zone: 'create', capsuleId, decidedBy: 'person' };
}

/** What a capsule made by a run may be granted at most: the tools inside the workspace, and the open web behind its questions. */
const grantableTools = {
  file_io: { paths: ['**'] },
  sql_query: { paths: ['**'] },
  python_exec: { commands: ['**'], hosts: ['*'] },
  terminal: { commands: ['**'], hosts: ['*'] },
  web_fetch: { hosts: ['*'] },
  http_api: { hosts: ['*'] },
};

/** The chosen capsule first; without a model, the rest of the short list after it. */
function toCandidates(run: RunContext, route: Route): readonly Candidate[] {
  if (route.capsuleId === undefined) return [];
  const ids = new Set([route.capsuleId, ...route.candidates.map(({ capsuleId }) => capsuleId)]);
  const wanted =
    run.parts.provider.isModel || route.zone === 'named' ? [route.capsuleId] : [...ids];
  return wanted.flatMap((id) => {
    const capsule = run.parts.registry.find(id);
    const kind = capsule && run.parts.registry.kindFor(capsule, run.parts.provider.isModel);
    return capsule && kind ? [{ capsule, kind }] : [];
  });
}

const JUDGE = `You choose which capsule does a subtask. You get one JSON document with the subtask and the candidates.
Answer with {"choice": id or null, "why": one short sentence}. Choose null only where no candidate could do it well.`;

const PROFILE = `You describe a new capsule (a small program that works with tools) for a subtask that no existing one fits.
You get one JSON document with the subtask, the skills and the tools that exist. Answer with {"id", "name", "description",
"skills": ids from the list, "tools": names from the list}. Describe the kind of work, not this one subtask; name the
fewest tools that the kind of work needs.`;
