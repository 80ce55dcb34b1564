import { describe, expect, it } from 'vitest';
import { whatRuns } from './what-runs.ts';

describe('whatRuns', () => {
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
    'GEMINI.md',
    'gulpfile.js',
    'gradle/wrapper/gradle-wrapper.properties',
    'Package.swift',
    'project/plugins.sbt',
    'sub/BUILD',
    'render.yaml',
    'rust-toolchain.toml',
    'azure-pipelines.yml',
    'bitbucket-pipelines.yml',
    'devbox.json',
    'Tiltfile',
    'gradlew',
    'agents/own/manifest.json',
    'Skills/review.md',
    'agents/notes.txt',
    'skills/sub/x.txt',
    'sub/agents/own/manifest.json',
    'agents/own/lib/a.ts',
    'sub/deep/Agents/own/handlers.cjs',
    'sub/agents/own/handlers.ts',
    'sub/agents/own/entrypoint.cjs',
    'sub/agents/own/main.py',
    'sub/agents/own/SKILL.md',
    'sub/agents/own/skills/review.md',
    'sub/skills/review.md',
    'WARP.md',
    'captainhook.json',
    'CMakePresets.json',
    'nx.json',
    'turbo.json',
    'pixi.toml',
    'codefresh.yml',
    'sub/terragrunt.hcl',
    'init.gradle',
    'NuGet.Config',
    'global.json',
    'ios/Podfile',
    'fastlane/Fastfile',
    'venv/bin/git',
    'node_modules/a/index.js',
    './skills/review.md',
  ])('knows %s', (path) => {
    expect(whatRuns(path)).toEqual(expect.any(String));
  });

  it.each([
    'compose.override.yaml',
    'sub/Docker-Compose.override.yml',
    'CLAUDE.local.md',
    'AGENTS.override.md',
    'Taskfile.dist.yml',
    'gulpfile.mjs',
    'Gruntfile.ts',
    'dangerfile.ts',
    'deno.jsonc',
    'mkdocs.yaml',
    'sub/lint.gradle',
    'ios.gradle.kts',
    'wdio.conf.ts',
    'lib.vcxproj.user',
  ])('knows %s, another spelling', (path) => {
    expect(whatRuns(path)).toEqual(expect.any(String));
  });

  it.each([
    'AGENT.md',
    'QWEN.md',
    'CRUSH.md',
    'go.work',
    'BSDmakefile',
    'SConstruct',
    'package-lock.json',
    'npm-shrinkwrap.json',
    'pnpm-lock.yaml',
    'yarn.lock',
    'Directory.Build.rsp',
    'gradle.properties',
    'rakelib/x.rake',
    'project.json',
    'build.zig',
    'Setup.hs',
    'Dangerfile',
    'lerna.json',
    'ansible.cfg',
    'WORKSPACE.bzlmod',
    'docs/conf.py',
    'config.ru',
    'Pipfile',
  ])('knows %s, which a tool reads by itself', (path) => {
    expect(whatRuns(path)).toEqual(expect.any(String));
  });

  it.each(['sub/HEAD', 'Head', 'mirror/commondir'])(
    'knows %s, which makes a folder a Git repository, or gives it another configuration',
    (path) => {
      expect(whatRuns(path)).toBe('git');
    },
  );

  it.each([
    'report.md',
    'a.py',
    './a.txt',
    '../a.txt',
    'data.json',
    'src/main.rs',
    'src/node_modules.md',
    'makefile.md',
    'head.md',
    'build.ts',
    'notes.local.md',
    'src/agents/list.py',
    'src/skills/list.py',
    'src/agents/index/a.ts',
    'src/components/agents/list/row.tsx',
    'src/agents/list/handlers/a.ts',
    'src/agents/list/lib/manifest.json',
    'src/agents/manifest.json',
    'myagents/own/manifest.json',
    'skills',
  ])('leaves %s unchanged', (path) => {
    expect(whatRuns(path)).toBeUndefined();
  });

  it.each([
    ['sub/Makefile', 'make'],
    ['package.json', 'npm and other JavaScript tools'],
    ['.github/workflows/x.yml', 'GitHub'],
    ['.bashrc', 'the program that it configures'],
    ['agents/own/manifest.json', 'Capstan itself'],
    ['sub/agents/own/manifest.json', 'Capstan itself'],
    ['run.sh', 'the system or a tool'],
  ])('of %s says %s', (path, program) => {
    expect(whatRuns(path)).toBe(program);
  });
});
