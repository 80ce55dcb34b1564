import type { AppError } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';

/** A collection to search by id. */
export interface IdSearch<Found> {
  /** Plural, for the error if several match: `runs`. */
  readonly what: string;
  find(id: string): Found | undefined;
  endingWith(suffix: string): readonly Found[];
  unknown(id: string): AppError;
}

/** How many matches of an ambiguous id an error lists. */
const MAX_NAMED = 3;

/**
 * Finds an item for a function that only reads: by its full id, or by a unique suffix of 4 or more characters.
 *
 * @throws AppError `USAGE` if several match; `unknown` of the search.
 */
export function findByIdToRead<Found extends { readonly id: string }>(
  id: string,
  search: IdSearch<Found>,
): Found {
  const name = String(id).toLowerCase();
  return search.find(name) ?? onlyOne(isSuffix(name, 4) ? search.endingWith(name) : [], id, search);
}

/**
 * Finds an item for a function that changes it: by its full id, or by its last 8 or more characters.
 *
 * @throws AppError `USAGE` if several match, or if the id is `last` or too short; `unknown` of the search.
 */
export function findByIdToChange<Found extends { readonly id: string }>(
  id: string,
  search: IdSearch<Found>,
): Found {
  const name = String(id).toLowerCase();
  const exact = search.find(name);
  if (exact) return exact;
  if (isSuffix(name, 8)) return onlyOne(search.endingWith(name), id, search);
  if (name !== 'last' && !isSuffix(name, 4)) throw search.unknown(id);
  const near = name === 'last' ? [] : search.endingWith(name).slice(0, MAX_NAMED);
  const which = near.length > 0 ? `: ${near.map((one) => one.id).join(' or ')}` : '';
  const problem = `"${id}" is not exact enough for a change. Write the last 8 characters of the id${which}.`;
  throw usage(problem);
}

const isSuffix = (id: string, minLength: number): boolean =>
  id.length >= minLength && /^[0-9a-f-]{1,36}$/.test(id);

function onlyOne<Found extends { readonly id: string }>(
  found: readonly Found[],
  id: string,
  { what, unknown }: Pick<IdSearch<Found>, 'what' | 'unknown'>,
): Found {
  const [first, second] = found;
  if (!first) throw unknown(id);
  if (!second) return first;
  const shown = found.slice(0, MAX_NAMED).map((one) => one.id);
  const rest = found.length - shown.length;
  const more = rest > 0 ? ` and ${rest} more` : '';
  const problem = `Several ${what} end with "${id}": ${shown.join(', ')}${more}. Write more of the id.`;
  throw usage(problem);
}
