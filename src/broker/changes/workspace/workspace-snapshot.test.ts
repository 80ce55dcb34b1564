import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInCrowdedFolder } from '../../../../test/programs/run-in-crowded-folder.ts';
import { startCpuClock } from '../../../../test/setup/cpu-clock.ts';
import { compareSnapshots, takeSnapshot } from './workspace-snapshot.ts';

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-snapshot-')));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const at = (path: string) => join(workspace, path);
function put(path: string, text = 'x') {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}
const take = (maxFiles = 100) =>
  takeSnapshot({ workspace, maxFiles, isProtected: (path) => path.includes('secret') });
const namesIn = async () =>
  [...(await take()).files.keys()].map((path) => path.slice(workspace.length + 1));

describe('a snapshot of a workspace', () => {
  it('has files and links, without ignored or protected ones, .git and node_modules', async () => {
    for (const path of ['a', 'b/c', 'build/out', '.git/HEAD', 'node_modules/x/y', 'secret/key'])
      put(path);
    put('.gitignore', 'build/\n*.log\n!keep.log\n');
    put('b/.ignore', 'temp\n');
    for (const path of ['x.log', 'keep.log', 'b/temp']) put(path);
    symlinkSync('a', at('link'));
    expect((await namesIn()).toSorted()).toEqual(
      ['.gitignore', 'a', 'b/.ignore', 'b/c', 'keep.log', 'link'].toSorted(),
    );
  });

  it('differs from a later one by what was created, changed and deleted', async () => {
    for (const path of ['same', 'changed', 'deleted']) put(path);
    const before = await take();
    put('changed', 'y');
    put('new/created');
    rmSync(at('deleted'));
    const { created, changed, isWhole } = compareSnapshots(before, await take());
    expect({ created, changed: changed.toSorted(), isWhole }).toEqual({
      created: [at('new/created')],
      changed: [at('changed'), at('deleted')],
      isWhole: true,
    });
  });

  it('stops inside a folder at its limits, and leaves that folder out', async () => {
    for (const name of Array.from({ length: 50 }).keys()) put(`many/${name}`);
    const few = await take(10);
    expect([few.files.size, [...few.left]]).toEqual([10, [at('many')]]);
  });

  it('is taken of a folder with more folders than a call has room for arguments', () => {
    const source = JSON.stringify(join(import.meta.dirname, 'workspace-snapshot.ts'));
    const code = `import { takeSnapshot } from ${source};
      const workspace = process.argv[2];
      const { files, left } = await takeSnapshot({ workspace, maxMs: 60_000, isProtected: () => false });
      console.log(JSON.stringify([files.size, left.size]));`;
    expect(runInCrowdedFolder(code)).toEqual([0, 0]);
  });

  it('respects its time limit with hostile ignore rules', async () => {
    const rules = Array.from({ length: 600 }, (_, n) => `*a*a*a*a*a*a*${n}`);
    put('.gitignore', rules.join('\n'));
    for (const name of Array.from({ length: 2_000 }).keys()) put(`${'a'.repeat(100)}${name}`);
    const cpuMs = startCpuClock();
    const { left } = await takeSnapshot({ workspace, maxMs: 100, isProtected: () => false });
    expect(cpuMs()).toBeLessThan(1_000);
    expect([...left]).toEqual([workspace]);
  });

  it('is incomplete over its limit, and then counts no file as created that it may have missed', async () => {
    for (const path of ['a', 'b', 'one/c', 'two/d']) put(path);
    const before = await take(3);
    put('a', 'changed');
    put('two/e');
    put('two/new/f');
    const { created, changed, isWhole } = compareSnapshots(before, await take());
    expect({ created, changed, isWhole }).toEqual({
      created: [],
      changed: [at('a')],
      isWhole: false,
    });
  });
});
