import type { Ability } from '../../contract/permissions/ability.ts';
import { abilitiesInText } from '../ability/abilities-in-text.ts';
import { abilitiesLackedBy } from '../ability/ability.ts';
import type { Capsule } from '../capsule-store.ts';
import { findNamedFiles, matchesAny } from '../files/named-files.ts';
import { toolsInText } from '../files/named-in-text.ts';
import type { TaskKind } from '../manifest/manifest.ts';
import type { Hit } from './index/search-index.ts';

const SHORT_LIST = 5;

/** The recent attempts of a capsule in the workspace, without those that ended for reasons outside of it. */
export interface RecentAttempts {
  readonly completed: number;
  /** At most 20. */
  readonly attempts: number;
}

/** A capsule without attempts counts as if four of five had completed. */
const PRIOR = { completed: 4, attempts: 5 } as const;

/** Twenty failures outweigh any lead of a close decision. */
const WEIGHT = 0.2;

/**
 * What recent attempts add to a score in a close decision, −.13 to +.03:
 * `0.2 · ((completed + 4) / (attempts + 5) − 0.8)`. Without attempts: 0.
 */
export function successTerm({ completed, attempts }: RecentAttempts): number {
  const share = (completed + PRIOR.completed) / (attempts + PRIOR.attempts);
  return WEIGHT * (share - PRIOR.completed / PRIOR.attempts);
}

/** The scores for a sure match (`take`) and for a possible one (`create`), for one embedder. */
export interface Thresholds {
  readonly take: number;
  readonly create: number;
  /** How far the best score must be ahead of the next one to be taken without asking. */
  readonly lead: number;
}

/**
 * Measured with the seven capsules that ship: the best scores of 41 paraphrases of their tasks (`own`; all routed right by
 * either embedder), and of requests that are nobody's: every fifth text of the development halves of CLINC150 and MetaTool
 * (`foreign`, 1,705 texts).
 *
 * | embedder | own: lowest / 10 % / median | foreign: median / 90 % / 95 % / 99 % |
 * |---|---|---|
 * | static-en-256 | .61 / .67 / .93 | .23 / .39 / .44 / .55 |
 * | all-MiniLM-L6-v2 | .41 / .59 / .89 | .18 / .31 / .36 / .44 |
 *
 * At `take` one foreign request in a hundred would be taken; at `create` more than nine in ten are recognised as new and no
 * own task is. Nine foreign requests in ten lead by .12 at most, nine own ones in ten by .2 at least: hence the `lead`.
 */
const byEmbedder = new Map<string, Thresholds>([
  ['static-en-256', { take: 0.56, create: 0.43, lead: 0.12 }],
  ['all-MiniLM-L6-v2', { take: 0.44, create: 0.33, lead: 0.12 }],
]);

/** Thresholds for an embedder. Default: those of all-MiniLM-L6-v2. */
export const thresholdsFor = (embedder: string): Thresholds =>
  byEmbedder.get(embedder) ?? { take: 0.44, create: 0.33, lead: 0.12 };

/** The embedder and thresholds of a score. */
export interface RouteMeasure extends Thresholds {
  readonly embedder: string;
}

/** The score and its terms: see `Hit`. */
export interface RouteCandidate extends Omit<Hit, 'owner'> {
  readonly capsuleId: string;
  /** What recent attempts added to the score. Missing if the decision was not close, or there are none. */
  readonly success?: number | undefined;
  readonly recent?: RecentAttempts | undefined;
}

/** How a capsule was chosen for a subtask. Stored with the subtask. */
export interface Route {
  /** `take` and `named` are decided, `close` is for a model or a person to decide, `create`: no capsule matches. */
  readonly zone: 'take' | 'close' | 'create' | 'named';
  /** Missing if no capsule gets it. In the zone `close`, before the decision, the one with the best score. */
  readonly capsuleId?: string | undefined;
  readonly taskKind?: string | undefined;
  /** The best candidates, at most five, best first. */
  readonly candidates: readonly RouteCandidate[];
  /** `plan`: the plan named it; `twin`: a new capsule would have repeated it; `policy`: the gate allows creating capsules without asking. */
  readonly decidedBy: 'name' | 'plan' | 'score' | 'model' | 'person' | 'twin' | 'policy';
  /** The reason that the model gave. */
  readonly why?: string | undefined;
  /** Missing if there was no search. */
  readonly measure?: RouteMeasure | undefined;
  /** The abilities that the subtask needs. Default: none. */
  readonly needs?: readonly Ability[] | undefined;
  /** Capsules that lack abilities that the subtask needs, at most 20. */
  readonly leftOut?: readonly LeftOut[] | undefined;
}

export interface LeftOut {
  readonly capsuleId: string;
  readonly lacks: readonly Ability[];
}

/**
 * The task kind that a capsule would run with. With a model: the first that is not a `handler`, else the first. Without
 * one: the first `handler`, or undefined.
 */
export function kindFor({ manifest }: Capsule, hasModel: boolean): TaskKind | undefined {
  const { task_kinds } = manifest;
  if (!hasModel) return task_kinds.find(({ mode }) => mode === 'handler');
  return task_kinds.find(({ mode }) => mode !== 'handler') ?? task_kinds[0];
}

/**
 * Removes capsules for other kinds of files: if a task names files and some capsules list their kind, capsules that list
 * only other kinds are removed. Capsules that list none stay. Files to write count only if the task reads none.
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
type FindRecent = (capsule: Capsule) => RecentAttempts | undefined;

export interface RouteOptions {
  /** Whether a language model answers in this run. */
  readonly model: boolean;
  /** The capsule that a person named. It is not searched for then. */
  readonly named?: string | undefined;
  /** The capsule that the plan names: it gets the task if it may be chosen and has the abilities. */
  readonly planned?: string | undefined;
  /** The abilities that the plan gives for the task. Default: those that its words ask for. */
  readonly needs?: readonly Ability[] | undefined;
  /** Recent attempts in this workspace, which change the scores of a close decision. Default: none. */
  readonly recent?: FindRecent | undefined;
  /** Quarantined capsules, which can't be chosen. Not checked for a named capsule. */
  readonly exclude?: readonly string[] | undefined;
}

interface DecideOptions extends Pick<RouteOptions, 'model' | 'recent'> {
  /** Whether capsules were left out because they lack a rare ability: then the others count as a match. Default: false. */
  readonly isNarrowed?: boolean | undefined;
}

/**
 * Decides by the best score: at `take` or above, and well ahead of the next, it is taken; below `create` no capsule
 * matches; anything else is close, and recent attempts change the scores. Without a model a close decision can't be judged
 * and nothing can be created: the best score wins, since a shipped handler refuses a task that it does not understand, and
 * only a score below half of `create` counts as no match. Capsules that are not shipped then need `take`.
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

/** The lowest score that counts as a match. A model judges capsules with a rare ability at any score. */
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

/** Maximum number of capsules that are listed as left out. */
const MAX_LEFT_OUT = 20;

interface EligibleOptions extends Pick<RouteOptions, 'model' | 'exclude' | 'needs'> {
  readonly tools: ReadonlyMap<string, unknown>;
}

/** Splits the capsules that may get a task by whether they have the abilities that it needs. */
export function eligibleCapsules(
  capsules: readonly Capsule[],
  text: string,
  { model, exclude, needs: planned, tools }: EligibleOptions,
) {
  const excluded = new Set(exclude);
  const namedTools = toolsInText(text, tools);
  const needs = planned ?? abilitiesInText(text);
  const able: Capsule[] = [];
  const unable: Capsule[] = [];
  const leftOut: LeftOut[] = [];
  for (const capsule of capsules) {
    const kind = kindFor(capsule, model);
    const { tools: granted } = capsule.manifest.grants;
    if (excluded.has(capsule.id) || kind === undefined) continue;
    if (!namedTools.every((tool) => Object.hasOwn(granted, tool))) continue;
    const lacks = abilitiesLackedBy(capsule, kind.mode, needs);
    if (lacks.length === 0) able.push(capsule);
    else {
      unable.push(capsule);
      leftOut.push({ capsuleId: capsule.id, lacks });
    }
  }
  // If the needs come from words, a correction counts more than they do.
  const correctable = planned === undefined ? [...able, ...unable] : able;
  return { able, correctable, needs, leftOut: leftOut.slice(0, MAX_LEFT_OUT) };
}
