import { describe, expect, it } from 'vitest';
import type { KeyInput } from '../../terminal/key.ts';
import { type ListState, listAtStart, moveInList } from './list-state.ts';

const key = (name: string, text = ''): KeyInput => ({
  name,
  text,
  ctrl: false,
  alt: false,
  shift: false,
});
const letter = (text: string) => key('text', text);
const rows = { keys: ['a', 'b', 'c'], page: 2 };

const typedInto = (inputs: readonly KeyInput[], from: ListState = listAtStart): ListState =>
  inputs.reduce((state, input) => {
    const move = moveInList(state, input, rows);
    return move.kind === 'state' ? move.state : state;
  }, from);

describe('keys of a list', () => {
  it('move the chosen row and stop at both ends', () => {
    expect(typedInto([key('down'), key('down'), key('down')]).chosen).toBe('c');
    expect(typedInto([key('end'), key('up')]).chosen).toBe('b');
    expect(typedInto([key('page-down'), key('home')]).chosen).toBe('a');
  });

  it('are text of the filter after /, until Enter; Esc removes it before it closes', () => {
    const filtering = typedInto([letter('/'), letter('x'), letter('?')]);
    expect(filtering.filter.text).toBe('x?');
    const kept = typedInto([key('enter')], filtering);
    expect([kept.isFiltering, kept.filter.text]).toEqual([false, 'x?']);
    const cleared = typedInto([key('esc')], kept);
    expect(cleared.filter.text).toBe('');
    expect(moveInList(cleared, key('esc'), rows)).toEqual({ kind: 'close' });
  });

  it('are the own keys of the list otherwise; a paste is never one', () => {
    expect(moveInList(listAtStart, letter('x'), rows)).toEqual({ kind: 'own', key: 'x' });
    expect(moveInList(listAtStart, { paste: 'x' }, rows).kind).toBe('state');
  });
});
