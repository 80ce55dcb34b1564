import { Need } from '../../contract/permissions/need.ts';
import { abilitiesLackedBy } from '../../registry/ability/ability.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Route, RouteCandidate } from '../../registry/search/route.ts';
import { isBeforeRetry } from '../attempt/attempt-basis.ts';
import type { RunContext } from '../context/run-context.ts';
import type { AttemptRecord } from '../store/subtasks/subtask-record.ts';
import { type Candidate, candidateOf } from './candidate.ts';
import { receiptOf } from './route-subtask.ts';

const MAX_NEEDS = 20;

/**
 * The capsule that gets a subtask after another one ended with an error that names missing abilities (`needs`): the next of the
 * candidates that has all of them. A capsule that did not ship with Capstan gets it only with a score in the *take* zone.
 * Undefined if there is none, or if two capsules were tried.
 */
export function secondCandidate(run: RunContext, subtaskId: string): Candidate | undefined {
  const { parts, record } = run;
  if (!parts.provider.isModel) return undefined;
  const attempts = parts.subtasks
    .attemptsOf(record.id, subtaskId)
    .filter((attempt) => !isBeforeRetry(run, attempt));
  const [first] = attempts;
  const isFirst = (attempt: AttemptRecord) => attempt.capsuleId === first?.capsuleId;
  const needs = needsIn(attempts.filter(isFirst).at(-1));
  const second = attempts.find((attempt) => !isFirst(attempt))?.capsuleId;
  if (!first || needs.length === 0) return undefined;
  parts.journal.flush();
  const { candidates = [], measure }: Partial<Route> = receiptOf(run, subtaskId) ?? {};
  const able = candidates
    .filter(({ capsuleId }) => capsuleId !== first.capsuleId)
    .flatMap((one) => usable(run, one, { needs, take: measure?.take ?? 1 }));
  return second === undefined ? able[0] : able.find(({ capsule }) => capsule.id === second);
}

/** The missing tools and abilities that the response of an attempt names. */
function needsIn(attempt: AttemptRecord | undefined): readonly string[] {
  if (attempt?.status !== 'failed' || attempt.reason !== 'subtask_failed') return [];
  const { status, result } = (attempt.response ?? {}) as { status?: unknown; result?: unknown };
  const { needs } = (result ?? {}) as { needs?: unknown };
  if (status !== 'error' || !Array.isArray(needs)) return [];
  return needs.filter((need): need is string => typeof need === 'string').slice(0, MAX_NEEDS);
}

function usable(
  run: RunContext,
  { capsuleId, score }: RouteCandidate,
  { needs, take }: { readonly needs: readonly string[]; readonly take: number },
): readonly Candidate[] {
  const found = candidateOf(run, capsuleId);
  if (!found || run.parts.quarantine.find(found.capsule)) return [];
  const mayTake = found.capsule.origin === 'shipped' || score >= take;
  return mayTake && needs.every((need) => has(found.capsule, need)) ? [found] : [];
}

function has(capsule: Capsule, need: string): boolean {
  const ability = Need.safeParse(need);
  return ability.success
    ? abilitiesLackedBy(capsule, 'agentic', [ability.data]).length === 0
    : Object.hasOwn(capsule.manifest.grants.tools, need);
}
