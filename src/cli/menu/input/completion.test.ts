import { expect, it } from 'vitest';
import { completableAt, complete, matchingPaths } from './completion.ts';
import { typed } from './edit.ts';

const chosen = (text: string, choice: string): string => {
  const state = typed(text);
  const wanted = completableAt(state);
  return wanted ? complete(state, wanted, choice).text : '';
};

it('a file is completed as its path, and a folder keeps its @, so that its files are next', () => {
  expect(chosen('read @ca', 'src/cart.js')).toBe('read src/cart.js ');
  expect(chosen('read @sr', 'src/')).toBe('read @src/');
  expect(chosen('read @my', 'my files/')).toBe('read "my files/" ');
  expect(matchingPaths(['src/', 'src/cart.js', 'a.md'], 'src/', 9)).toEqual(['src/cart.js']);
});
