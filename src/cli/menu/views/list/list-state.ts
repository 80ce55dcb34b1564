import { type Edited, editOneLine, nothingTyped } from '../../input/edit.ts';
import { isKey, type KeyInput, plainText } from '../../terminal/key.ts';

/** The state of a list view. */
export interface ListState {
  /** The key of the chosen row. Undefined: the first. */
  readonly chosen: string | undefined;
  readonly filter: Edited;
  /** Whether typed text goes to the filter. */
  readonly isFiltering: boolean;
  readonly isHelp: boolean;
}

/** The first row is chosen, without a filter. */
export const listAtStart: ListState = {
  chosen: undefined,
  filter: nothingTyped,
  isFiltering: false,
  isHelp: false,
};

/** The effect of a key: a new state, closing, or a key of the list itself (`enter`, `f`). */
export type ListMove =
  | { readonly kind: 'state'; readonly state: ListState }
  | { readonly kind: 'close' }
  | { readonly kind: 'own'; readonly key: string };

/** Applies a key. @param keys The keys of the shown rows. @param page Number of rows on a page. */
export function moveInList(
  state: ListState,
  input: KeyInput,
  { keys, page }: { readonly keys: readonly string[]; readonly page: number },
): ListMove {
  if (state.isHelp) return stateOf({ ...state, isHelp: false });
  if (isKey(input, 'esc')) return stepBack(state);
  const by = stepOf(input, page, keys.length);
  if (by !== 0) return stateOf({ ...state, chosen: moved(state.chosen, by, keys) });
  if (state.isFiltering) return stateOf(typeFilter(state, input));
  if (isKey(input, 'enter')) return { kind: 'own', key: 'enter' };
  const text = plainText(input);
  if (text === '/') return stateOf({ ...state, isFiltering: true });
  if (text === '?') return stateOf({ ...state, isHelp: true });
  return text === undefined ? stateOf(state) : { kind: 'own', key: text };
}

const stateOf = (state: ListState): ListMove => ({ kind: 'state', state });

function stepBack(state: ListState): ListMove {
  const isFiltered = state.isFiltering || state.filter.text !== '';
  if (!isFiltered) return { kind: 'close' };
  return stateOf({ ...state, filter: nothingTyped, isFiltering: false });
}

/** The state after a key of the filter. */
export function typeFilter(state: ListState, input: KeyInput): ListState {
  if (isKey(input, 'enter')) return { ...state, isFiltering: false };
  return { ...state, filter: editOneLine(state.filter, input) };
}

/** How far a key moves: up, down, by a page, or to an end. 0: another key. */
export function stepOf(input: KeyInput, page: number, count: number): number {
  if (isKey(input, 'up')) return -1;
  if (isKey(input, 'down')) return 1;
  if (isKey(input, 'page-up')) return -page;
  if (isKey(input, 'page-down')) return page;
  if (isKey(input, 'home')) return -count;
  return isKey(input, 'end') ? count : 0;
}

function moved(
  chosen: string | undefined,
  by: number,
  keys: readonly string[],
): string | undefined {
  const at = Math.max(0, keys.indexOf(chosen ?? ''));
  return keys[Math.max(0, Math.min(keys.length - 1, at + by))];
}
