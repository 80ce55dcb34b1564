import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { namedPaths } from './named-files.ts';
import { takeSnapshot } from './workspace-snapshot.ts';

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-named-')));
  mkdirSync(join(workspace, 'docs/more'), { recursive: true });
  for (const path of ['a.md', 'docs/b.md', 'docs/more/c.md', 'docs/d.txt'])
    writeFileSync(join(workspace, path), path);
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

it.each([
  ['*.md', ['a.md']],
  ['d*/*.md', ['docs/b.md']],
  ['**/*.md', ['a.md', 'docs/b.md', 'docs/more/c.md']],
  ['docs/**/*.md', ['docs/b.md', 'docs/more/c.md']],
])('finds the files that the pattern %s of a program matches', async (pattern, names) => {
  const options = { workspace, isProtected: () => false };
  const command = {
    kind: 'python',
    code: `glob("${pattern}")`,
    access: 'write',
    cwd: '.',
  } as const;
  const { files } = await namedPaths(command, options, await takeSnapshot(options));
  expect([...files].sort()).toEqual(names.map((name) => join(workspace, name)));
});
