import { expect, it } from 'vitest';
import { completableAt, complete, matchingPaths, withPaths } from './completion.ts';
import { typed } from './edit.ts';

const chosen = (text: string, choice: string): string => {
  const state = typed(text);
  const wanted = completableAt(state);
  return wanted ? complete(state, wanted, choice).text : '';
};

it('a file is completed as its path, and a folder keeps its @, so that its files are next', () => {
  expect(chosen('read @ca', 'src/cart.js')).toBe('read src/cart.js ');
  expect(chosen('read @sr', 'src/')).toBe('read @src/');
  const paths = ['src/cart.js', 'src/', 'a.md'];
  expect(matchingPaths(paths, 'src/', 9)).toEqual(['src/', 'src/cart.js']);
});

it('a folder with a space opens quotes, which its file closes, and which are closed when it is sent', () => {
  expect(chosen('read @my', 'my files/')).toBe('read @"my files/');
  expect(completableAt(typed('read @"my files/no'))).toMatchObject({ word: 'my files/no' });
  expect(chosen('read @"my files/no', 'my files/note.md')).toBe('read "my files/note.md" ');
  const paths = ['my files/', 'my files/note.md', 'src/'];
  expect(withPaths('list @"my files/ and @src', paths)).toBe('list "my files/" and src');
  expect(withPaths('read @"my files/note.md" now', paths)).toBe('read "my files/note.md" now');
  expect(withPaths('read @"Note 2024.md"', ['Note', 'Note 2'])).toBe('read @"Note 2024.md"');
  expect(withPaths('read @"my files/no.md"', paths)).toBe('read @"my files/no.md"');
});
