import type { Ability } from '../../contract/permissions/ability.ts';
import { abilitiesInText } from '../ability/abilities-in-text.ts';
import { abilitiesLackedBy } from '../ability/ability.ts';
import type { Capsule } from '../capsule-store.ts';
import { toolsInText } from '../files/named-in-text.ts';
import { kindFor, type LeftOut, type RouteOptions } from './route.ts';

/** Maximum number of capsules that are listed as left out. */
const MAX_LEFT_OUT = 20;

interface EligibleOptions extends Pick<RouteOptions, 'model' | 'exclude' | 'needs'> {
  readonly tools: ReadonlyMap<string, unknown>;
}

/** The capsules that may get a task. */
export interface ChoosableCapsule {
  readonly able: readonly Capsule[];
  /** The able capsules; if the needs come from words, also the others, since a correction counts more than words. */
  readonly correctable: readonly Capsule[];
  readonly needs: readonly Ability[];
  /** In the order of the capsules. */
  readonly leftOut: readonly LeftOut[];
}

/** Splits the capsules by whether they have the abilities that a task needs. */
export function eligibleCapsules(
  capsules: readonly Capsule[],
  text: string,
  { model, exclude, needs: planned, tools }: EligibleOptions,
): ChoosableCapsule {
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
  const correctable = planned === undefined ? [...able, ...unable] : able;
  return { able, correctable, needs, leftOut: leftOut.slice(0, MAX_LEFT_OUT) };
}
