import { describe, expect, it } from 'vitest';
import { isInside, shownPath } from './inside.ts';

describe('a path is inside a folder', () => {
  it.each([
    ['itself', '/work', '/work', true],
    ['below it', '/work', '/work/a/b', true],
    ['beside it with the same beginning', '/work', '/work-2/a', false],
    ['above it', '/work/a', '/work', false],
    ['below the root folder', '/', '/etc/hosts', true],
    ['the root folder', '/', '/', true],
  ])('%s', (_what, root, path, is) => {
    expect(isInside(root, path)).toBe(is);
  });
});

it('a path is shown relative to the workspace, and the workspace as a dot', () => {
  expect(shownPath('/work', '/work/a/b.txt')).toBe('a/b.txt');
  expect(shownPath('/', '/etc/hosts')).toBe('etc/hosts');
  expect(shownPath('/work', '/work')).toBe('.');
});
