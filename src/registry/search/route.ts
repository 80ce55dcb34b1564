import type { Capsule } from '../capsule-store.ts';
import type { TaskKind } from '../manifest/manifest.ts';
import { findNamedFiles, matchesAny } from '../named-files.ts';
import type { Hit } from './search-index.ts';

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
  /** `twin`: it is all but the capsule that would have been made; `policy`: the gate lets capsules be made unasked. */
  readonly decidedBy: 'name' | 'score' | 'model' | 'person' | 'twin' | 'policy';
  /** Why the model chose as it did, in its own words. */
  readonly why?: string | undefined;
  /** Missing where nothing was searched. */
  readonly measure?: RouteMeasure | undefined;
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

/**
 * Settles a search by its best score: at `take` or above, and well ahead of the next, it is taken; below `create` none is
 * near; anything else is close. Without a model nobody judges a close call and nothing can be created: the best score
 * stands, since a shipped handler that can't place a word of the task says so, and only what is below half of `create` is
 * near to none. Other capsules then need `take`, also to be tried after the first.
 */
export function decideRoute(
  ranked: readonly { readonly capsule: Capsule; readonly hit: Hit }[],
  measure: RouteMeasure,
  hasModel: boolean,
): Route {
  const isUsable = ({ capsule, hit }: (typeof ranked)[number]) =>
    hasModel || capsule.origin === 'shipped' || hit.score >= measure.take;
  const usable = ranked.filter(isUsable);
  const candidates = usable.slice(0, SHORT_LIST).map(({ capsule, hit }) => ({
    capsuleId: capsule.id,
    score: hit.score,
    best: hit.best,
    mean: hit.mean,
    bm25: hit.bm25,
    coverage: hit.coverage,
    correction: hit.correction,
    part: hit.part,
  }));
  const [first, second] = usable;
  const floor = hasModel ? measure.create : measure.create / 2;
  if (!first || first.hit.score < floor) {
    return { zone: 'create', candidates, decidedBy: 'score', measure };
  }
  const isAhead = first.hit.score - (second?.hit.score ?? -1) >= measure.lead;
  return {
    zone: first.hit.score >= measure.take && isAhead ? 'take' : 'close',
    capsuleId: first.capsule.id,
    taskKind: kindFor(first.capsule, hasModel)?.name,
    candidates,
    decidedBy: 'score',
    measure,
  };
}
