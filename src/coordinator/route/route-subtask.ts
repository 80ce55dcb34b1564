import { incompleteCapsules } from '../../broker/questions/gates/create-gate.ts';
import { AppError } from '../../contract/errors.ts';
import { type Ability, abilityWords, grantWords } from '../../contract/permissions/ability.ts';
import { abilitiesInText } from '../../registry/ability/abilities-in-text.ts';
import { assertNotQuarantined } from '../../registry/quarantine.ts';
import type { Route, RouteCandidate } from '../../registry/search/route.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Step } from '../plan/plan.ts';
import type { Pause } from '../scheduler.ts';
import { assertCapsuleLimit, type Candidate, candidateOf } from './candidate.ts';
import { callerIn, fillGap, type Open } from './fill-gap.ts';
import { judgeShortList } from './judge-short-list.ts';

/**
 * Finds the capsules for one subtask, best first, and stores the routing receipt.
 *
 * @throws AppError `NO_CAPSULE_FITS`, `CAPSULE_UNKNOWN`, `CAPSULE_QUARANTINED`, and the errors of the coordinator's model calls.
 */
export async function routeSubtask(
  run: RunContext,
  step: Step,
  pause: Pause,
): Promise<readonly Candidate[]> {
  const { parts, record } = run;
  const recorded = run.isResumed ? recordedRoute(run, step) : [];
  if (recorded.length > 0) return recorded;
  const found =
    (run.isResumed ? askedShortList(run, step) : undefined) ?? (await searchCapsule(run, step));
  if (found.decidedBy === 'name') assertUsable(run, found);
  const route = await settle(run, { step, route: found, pause });
  const [first, ...others] = toCandidates(run, route);
  if (!first) {
    parts.journal.noteSoon(() => parts.subtasks.route(record.id, step.id, { receipt: route }));
    const problem = noCapsuleProblem(route, parts.provider.isModel);
    throw new AppError('NO_CAPSULE_FITS', { subtask: step.description, problem });
  }
  const { capsule, kind } = first;
  assertCapsuleLimit(run, [capsule.id]);
  parts.journal.noteSoon(() =>
    parts.subtasks.route(record.id, step.id, {
      capsuleId: capsule.id,
      taskKind: kind.name,
      receipt: { ...route, taskKind: kind.name },
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

/** The capsules that the search finds for a step, without a judgement. Creates and stores nothing. */
export const searchCapsule = ({ parts, record, scope }: RunContext, step: Step): Promise<Route> =>
  parts.registry.route(step.description, {
    model: parts.provider.isModel,
    exclude: [...parts.quarantine.idsAmong(parts.registry.list()), ...incompleteCapsules(scope)],
    needs: needsOf(step),
    recent: (capsule) => parts.recentAttempts(capsule, record.workspace),
    planned: step.capsule,
    ...(record.request.namedCapsule !== null && { named: record.request.namedCapsule }),
  });

function noCapsuleProblem(
  { decidedBy, zone, candidates, needs = [], leftOut = [] }: Route,
  hasModel: boolean,
): string {
  if (decidedBy === 'person' && zone === 'close') return 'you chose none of the candidates';
  if (candidates.length === 0 && leftOut.length > 0) return missingAbilityProblem(needs, hasModel);
  if (hasModel) return 'no candidate is close enough, and none was created';
  return 'without a language model, only tasks that the shipped capsules support are possible (choose a provider with CAPSTAN_PROVIDER)';
}

function missingAbilityProblem(needs: readonly Ability[], hasModel: boolean): string {
  const what = `it needs to ${abilityWords(needs)}, and no capsule can do that`;
  const grant = `a capsule with the grant ${grantWords(needs)}`;
  return hasModel
    ? `${what}; none was created. It needs ${grant}.`
    : `${what} without a language model. Choose a provider (CAPSTAN_PROVIDER), or add ${grant}.`;
}

/** The lookup of a named capsule ignores quarantine, so this checks it. @throws AppError `CAPSULE_QUARANTINED`. */
function assertUsable({ parts }: RunContext, { capsuleId = '' }: Route): void {
  const capsule = parts.registry.find(capsuleId);
  if (capsule) assertNotQuarantined(capsule, parts.quarantine);
}

/**
 * The routing receipt from before the run was interrupted. A capsule that was quarantined since then only
 * continues subtasks that it had started.
 */
function recordedRoute(run: RunContext, step: Step): readonly Candidate[] {
  const { parts, record } = run;
  const receipt = receiptOf(run, step.id);
  const known = receipt ? toCandidates(run, receipt) : [];
  const hasBegun = parts.subtasks.attemptsOf(record.id, step.id).length > 0;
  return hasBegun ? known : known.filter(({ capsule }) => !parts.quarantine.find(capsule));
}

export const receiptOf = ({ parts, record }: RunContext, subtaskId: string): Route | undefined =>
  parts.subtasks.of(record.id).find(({ id }) => id === subtaskId)?.route as Route | undefined;

/** The candidates of a question from before the run was interrupted, without removed capsules: the answer refers to them. */
function askedShortList(run: RunContext, step: Step): Route | undefined {
  const { parts } = run;
  const asked = receiptOf(run, step.id);
  if (asked?.zone !== 'close' || asked.capsuleId !== undefined) return undefined;
  const candidates = asked.candidates.filter(({ capsuleId }) => {
    const capsule = parts.registry.find(capsuleId);
    return capsule && !parts.quarantine.find(capsule);
  });
  const [first] = candidates;
  return first && { ...asked, candidates, capsuleId: first.capsuleId, decidedBy: 'score' };
}

/**
 * Decides if the score does not: close candidates are judged, and any that ship with Capstan for a step that needs no
 * ability; if nothing fits, a capsule is created. Without a model, the nearest ones are tried: they decline unsuitable
 * tasks, and say what would work.
 */
async function settle(run: RunContext, open: Open): Promise<Route> {
  const { parts, record } = run;
  const { route, step } = open;
  const hasModel = parts.provider.isModel;
  if (route.zone === 'take' || route.zone === 'named') return route;
  if (route.zone === 'create' && !hasModel)
    return { ...route, capsuleId: route.candidates[0]?.capsuleId };
  if (route.zone === 'create') {
    assertCapsuleLimit(run);
    const among = plainCandidates(run, route);
    return among.length > 0 ? judge(run, open, among) : fillGap(run, open);
  }
  // Before anyone is asked.
  assertCapsuleLimit(
    run,
    route.candidates.map(({ capsuleId }) => capsuleId),
  );
  // A resumed run asks about the same candidates.
  const receipt = { ...route, capsuleId: undefined, taskKind: undefined };
  parts.journal.noteSoon(() => parts.subtasks.route(record.id, step.id, { receipt }));
  const chosen = await chooseFrom(run, open);
  if (chosen?.capsuleId !== undefined) return chosen;
  if (!hasModel) return chosen ?? route;
  return chosen ? fillGap(run, { ...open, route: chosen }) : judge(run, open);
}

/**
 * The candidates for a step that is near none: if it only reads, or answers a question, every capsule has its abilities.
 * Those that did not ship with Capstan get a task only by their own score, or by name.
 */
export const plainCandidates = ({ parts }: RunContext, { needs = [], candidates }: Route) =>
  needs.length > 0
    ? []
    : candidates.filter(({ capsuleId }) => parts.registry.find(capsuleId)?.origin === 'shipped');

/** The candidate that the model chooses, or a new capsule. */
async function judge(
  run: RunContext,
  open: Open,
  among: readonly RouteCandidate[] = open.route.candidates,
): Promise<Route> {
  const judged = await judgeShortList(run, open, among);
  return judged.capsuleId === undefined ? fillGap(run, { ...open, route: judged }) : judged;
}

/** The person's choice from the candidates; without a capsule if they reject all; undefined if nobody is asked. */
async function chooseFrom(run: RunContext, open: Open): Promise<Route | undefined> {
  const { parts } = run;
  const { step, route } = open;
  if (!parts.gates.choose) return undefined;
  const among = route.candidates.map(({ capsuleId, score }) => ({
    id: capsuleId,
    score,
    description: parts.registry.find(capsuleId)?.manifest.description ?? '',
  }));
  const choice = { scope: callerIn(run, open), subtask: step.description, among };
  const id = await parts.gates.choose(choice);
  if (id === undefined) return undefined;
  return { ...route, capsuleId: id ?? undefined, decidedBy: 'person' };
}

/** The chosen capsule; without a model, and if the score chose it, followed by the other candidates. */
function toCandidates(run: RunContext, route: Route): readonly Candidate[] {
  if (route.capsuleId === undefined) return [];
  const ids = new Set([route.capsuleId, ...route.candidates.map(({ capsuleId }) => capsuleId)]);
  const isAlone = run.parts.provider.isModel || route.decidedBy !== 'score';
  const wanted = isAlone ? [route.capsuleId] : [...ids];
  return wanted.flatMap((id) => candidateOf(run, id) ?? []);
}

const isDatabase = (path: string): boolean => /\.(?:db3?|sqlite3?|duckdb)$/i.test(path);

/** The abilities that the plan requires for a step; undefined if its words decide. */
function needsOf({ needs, writes, description }: Step): readonly Ability[] | undefined {
  if (needs.length === 0 && writes.length === 0) return undefined;
  const stated = needs.length > 0 ? needs : abilitiesInText(description);
  const written = writes.map((path) => (isDatabase(path) ? 'database_write' : 'write'));
  return [...new Set<Ability>([...stated, ...written])];
}
