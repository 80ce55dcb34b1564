import type { Ability } from '../../contract/ability.ts';
import type { Capsule } from '../capsule-store.ts';
import type { TaskKind } from '../manifest/manifest.ts';
import { findNamedFiles, matchesAny } from '../named-files.ts';
import type { Hit } from './index/search-index.ts';
import { type RecentAttempts, successTerm } from './recent-attempts.ts';

const SHORT_LIST = 5;

/** Where a score stops being sure (`take`) and where it stops being near (`create`). They belong to one embedder. */
export interface Thresholds {
  readonly take: number;
  readonly create: number;
  /** How far the best must be ahead of the next to be taken without a thought. */
  readonly lead: number;
}

/** What a score was measured against. */
export interface RouteMeasure extends Thresholds {
  readonly embedder: string;
}

/** The score and what it is made of: see `Hit`. */
export interface RouteCandidate extends Omit<Hit, 'owner'> {
  readonly capsuleId: string;
  /** What recent attempts added to the score. Missing if the call was not close, or there are none. */
  readonly success?: number | undefined;
  readonly recent?: RecentAttempts | undefined;
}

/** How a subtask found its capsule: the receipt that is kept with it. */
export interface Route {
  /** `take` and `named` are settled, `close` is for a model or a person to judge, `create`: none is near. */
  readonly zone: 'take' | 'close' | 'create' | 'named';
  /** Missing where none is to get it. In the zone `close`, before it was judged, the one with the best score. */
  readonly capsuleId?: string | undefined;
  readonly taskKind?: string | undefined;
  /** The short list, best first: five at most. */
  readonly candidates: readonly RouteCandidate[];
  /** `plan`: the plan named it; `twin`: it is all but the capsule that would have been made; `policy`: the gate lets capsules be made unasked. */
  readonly decidedBy: 'name' | 'plan' | 'score' | 'model' | 'person' | 'twin' | 'policy';
  /** Why the model chose as it did, in its own words. */
  readonly why?: string | undefined;
  /** Missing where nothing was searched. */
  readonly measure?: RouteMeasure | undefined;
  /** What the subtask requires of its capsule. Default: nothing. */
  readonly needs?: readonly Ability[] | undefined;
  /** Capsules that were left out because they lack abilities that the subtask needs: 20 at most. */
  readonly leftOut?: readonly LeftOut[] | undefined;
}

export interface LeftOut {
  readonly capsuleId: string;
  readonly lacks: readonly Ability[];
}

/**
 * The task kind that a capsule would be run with. With a model: the first that is no `handler`, else the first. Without
 * one: the first `handler`, since nothing else can do its work; undefined where there is none.
 */
export function kindFor({ manifest }: Capsule, hasModel: boolean): TaskKind | undefined {
  const { task_kinds } = manifest;
  if (!hasModel) return task_kinds.find(({ mode }) => mode === 'handler');
  return task_kinds.find(({ mode }) => mode !== 'handler') ?? task_kinds[0];
}

/**
 * Leaves out what works on other files: where a task names files and kinds of some capsules list them, capsules whose
 * kinds list only others drop out. Capsules that list none stay. What a task makes counts only where it reads nothing.
 */
export function keepByFiles(
  capsules: readonly Capsule[],
  text: string,
  hasModel: boolean,
): readonly Capsule[] {
  const { inputs, outputs } = findNamedFiles(text);
  const names = inputs.length > 0 ? inputs : outputs;
  if (names.length === 0) return capsules;
  const globs = (capsule: Capsule) => kindFor(capsule, hasModel)?.files ?? [];
  const isMatch = new Map(capsules.map((capsule) => [capsule, matchesAny(globs(capsule), names)]));
  if (![...isMatch.values()].includes(true)) return capsules;
  return capsules.filter((capsule) => isMatch.get(capsule) || globs(capsule).length === 0);
}

interface Ranked extends Pick<RouteCandidate, 'success' | 'recent'> {
  readonly capsule: Capsule;
  readonly hit: Hit;
}

/** The recent attempts of a capsule; undefined if there are none. */
export type FindRecent = (capsule: Capsule) => RecentAttempts | undefined;

interface DecideOptions {
  readonly model: boolean;
  readonly recent?: FindRecent | undefined;
  /** Whether capsules were left out because they lack a rare ability: then those that have it are near. Default: false. */
  readonly isNarrowed?: boolean | undefined;
}

/**
 * Settles a search by its best score: at `take` or above, and well ahead of the next, it is taken; below `create` none is
 * near; anything else is close, and then recent attempts move the scores. Without a model nobody judges a close call and
 * nothing can be created: the best score stands, since a shipped handler that can't place a word of the task says so, and
 * only what is below half of `create` is near to none. Other capsules then need `take`, also to be tried after the first.
 */
export function decideRoute(
  ranked: readonly Ranked[],
  measure: RouteMeasure,
  { model, recent = () => undefined, isNarrowed = false }: DecideOptions,
): Route {
  const isUsable = ({ capsule, hit }: Ranked) =>
    model || capsule.origin === 'shipped' || hit.score >= measure.take;
  const usable = ranked.filter(isUsable);
  const [best, next] = usable;
  const floor = floorOf(measure, model, isNarrowed);
  const shortList = usable.slice(0, SHORT_LIST);
  if (!best || best.hit.score < floor) {
    return { zone: 'create', candidates: shortList.map(toCandidate), decidedBy: 'score', measure };
  }
  const isAhead = best.hit.score - (next?.hit.score ?? -1) >= measure.lead;
  const zone = best.hit.score >= measure.take && isAhead ? 'take' : 'close';
  const ordered = zone === 'take' ? shortList : bySuccess(shortList, recent);
  const { capsule } = ordered[0] ?? best;
  return {
    zone,
    capsuleId: capsule.id,
    taskKind: kindFor(capsule, model)?.name,
    candidates: ordered.map(toCandidate),
    decidedBy: 'score',
    measure,
  };
}

/** The least score that is near. With a model, it judges capsules with a rare ability whatever their score. */
function floorOf({ create }: RouteMeasure, model: boolean, isNarrowed: boolean): number {
  if (!model) return create / 2;
  return isNarrowed ? Number.NEGATIVE_INFINITY : create;
}

const toCandidate = ({
  capsule,
  hit: { owner: _owner, ...hit },
  ...rest
}: Ranked): RouteCandidate => ({
  capsuleId: capsule.id,
  ...hit,
  ...rest,
});

/** The short list after recent attempts moved the scores, best first. */
function bySuccess(shortList: readonly Ranked[], recent: FindRecent): readonly Ranked[] {
  const moved = shortList.map((ranked): Ranked => {
    const known = recent(ranked.capsule);
    if (known === undefined) return ranked;
    const success = successTerm(known);
    const hit = { ...ranked.hit, score: ranked.hit.score + success };
    return { ...ranked, hit, success, recent: known };
  });
  return moved.toSorted((a, b) => b.hit.score - a.hit.score);
}
