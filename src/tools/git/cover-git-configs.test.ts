import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findProtected } from '../../runtime/sandbox/protect/find-protected.ts';
import { quarantineNewFiles } from '../../runtime/sandbox/protect/quarantine-new-files.ts';
import { coverGitConfigs } from './cover-git-configs.ts';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'capstan-cover-'));
  for (const folder of ['a', 'b', 'c', 'd']) mkdirSync(join(workspace, folder));
});
afterEach(() => {
  rmSync(workspace, { recursive: true, force: true });
});
const put = (folder: string, count: number, content: string) => {
  for (let i = 0; i < count; i += 1) writeFileSync(join(workspace, folder, `${i}`), content);
};
const secret = '[http]\n\textraheader = S3CRET\n';
const search = { isProtected: () => false, isGitConfig: () => true };
const cover = async (access: 'read' | 'write') =>
  coverGitConfigs(await findProtected({ workspace, access, ...search }), () => false);

it.each(['read', 'write'] as const)(
  'files without a credential need no cover, however many there are (%s)',
  async (access) => {
    put('a', 1_100, 'x\n');
    for (const folder of ['b', 'c', 'd']) put(folder, 400, 'x\n');
    writeFileSync(join(workspace, 'd/secret'), secret);
    expect(await cover(access)).toMatchObject([{ path: join(workspace, 'd/secret') }]);
    const taken = await quarantineNewFiles({ before: [] }, { workspace, ...search });
    expect(taken).toBeUndefined();
  },
);

it('more files with a credential than can be covered are refused', async () => {
  for (const folder of ['a', 'b', 'c']) put(folder, 400, secret);
  await expect(cover('read')).rejects.toThrow('more than 1000 protected files to hide');
});
