import { describe, expect, it } from 'vitest';
import { specialName } from './special-name.ts';

describe('specialName', () => {
  it.each([
    '.bashrc',
    'sub/.hidden',
    '.github/workflows/x.yml',
    'Makefile',
    'sub/makefile',
    'package.json',
    'conftest.py',
    'setup.py',
    'vite.config.ts',
    '.eslintrc.cjs',
    'run.sh',
    'start.bat',
    'Dockerfile',
    'build.rs',
    'AGENTS.md',
    'sub/mise.local.toml',
    'lefthook.yml',
    '.husky/pre-commit',
    'x\\Makefile',
    'flake.nix',
    'sub/shell.nix',
    'azure-pipelines.yml',
    'gradlew',
    'agents/own/manifest.json',
    'Skills/review.md',
  ])('knows %s', (path) => {
    expect(specialName(path)).toBe(true);
  });

  it.each([
    'report.md',
    'a.py',
    './a.txt',
    '../a.txt',
    'data.json',
    'src/main.rs',
    'makefile.md',
    'src/agents/list.py',
    'skills',
  ])('lets %s pass', (path) => {
    expect(specialName(path)).toBe(false);
  });
});
