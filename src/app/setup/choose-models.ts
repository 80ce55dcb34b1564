import type { ModelsByHint } from './setup-provider.ts';

/**
 * The models to propose, from those that a server lists; undefined if a person has to choose.
 *
 * @param defaults The vendor's models in force without a setting; undefined for a server that brings its own.
 */
export function chooseModels(
  listed: readonly string[],
  defaults: ModelsByHint | undefined,
): ModelsByHint | undefined {
  if (defaults) return listed.length === 0 ? defaults : fromList(listed, defaults);
  const [first] = listed;
  if (first === undefined || listed.length > MAX_TO_GUESS_FROM) return undefined;
  return { fast: first, balanced: first, best: first };
}

/** Servers that list more models than this are catalogues. */
const MAX_TO_GUESS_FROM = 5;

/** The defaults that are listed, as they are or with a date; the nearest listed one in place of another. */
function fromList(listed: readonly string[], defaults: ModelsByHint): ModelsByHint | undefined {
  const isListed = (model: string) =>
    listed.some(
      (one) => one === model || (/^-\d/.test(one.slice(model.length)) && one.startsWith(model)),
    );
  const known = [defaults.balanced, defaults.best, defaults.fast].find(isListed);
  if (known === undefined) return undefined;
  const orKnown = (model: string) => (isListed(model) ? model : known);
  return {
    fast: orKnown(defaults.fast),
    balanced: orKnown(defaults.balanced),
    best: orKnown(defaults.best),
  };
}
