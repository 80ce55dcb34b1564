import { expect, it } from 'vitest';
import { isGitConfig } from './git-config.ts';

const facts = { workspace: '/w', openPaths: [] };

it.each([
  '/w/.git/config',
  '/w/.git/config.worktree',
  '/w/.GIT/Config',
  '/w/sub/.git/config',
  '/w/.git/company.inc',
  '/w/.git/conf.d/tokens',
  '/w/.git/config.bak',
  '/w/.git/modules/logs/config',
  '/w/.git/worktrees/x/config.worktree',
  '/elsewhere/.git/config',
  '/w/.gitconfig',
  '/w/dotfiles/gitconfig',
  '/w/.config/git/config',
  '/w/.gitmodules',
  '/w/bare.git/config',
  '/w/.jj/repo/store/git/config',
  '/w/.git/svn/.metadata',
  '/w/.git/modules/svn/config',
])('%s may be a configuration of Git', (path) => {
  expect(isGitConfig(path, facts)).toBe(true);
});

it.each([
  '/w/config',
  '/w/src/git.ts',
  '/w/.github/config',
  '/w/bare.git/notes.txt',
  '/w/.git',
  '/w/.git/index',
  '/w/.git/HEAD',
  '/w/.git/COMMIT_EDITMSG',
  '/w/.git/refs/heads/config',
  '/w/.git/objects/pack/pack-1.pack',
  '/w/.git/logs/HEAD',
  '/w/.git/hooks/pre-commit',
  '/w/.git/lost-found/other/0a1b',
  '/w/.git/svn/trunk/unhandled.log',
  '/w/.git/modules/part/objects/0a/1b',
  '/w/.git/modules/part/lost-found/commit/0a1b',
  '/w/.git/worktrees/fix/logs/refs/x',
  '/w/.git/annex/objects/x',
  '/w/.git/reftable/0x01.ref',
  '/w/.git/sharedindex.0a1b',
])('%s is not', (path) => {
  expect(isGitConfig(path, facts)).toBe(false);
});

it('a path that a setting opens by name is not', () => {
  const openPaths = ['.git/config'];
  expect(isGitConfig('/w/.git/config', { ...facts, openPaths })).toBe(false);
  expect(isGitConfig('/w/.git/config.worktree', { ...facts, openPaths })).toBe(true);
});
