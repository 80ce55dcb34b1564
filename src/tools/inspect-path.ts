import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isInside, resolveExisting } from './paths.ts';

/** What stands at a path of a call before it is decided on. */
export interface PathOnDisk {
  /** Absolute; links followed as far as the path exists. */
  readonly realPath: string;
  readonly kind: 'absent' | 'file' | 'folder' | 'other';
  readonly isExecutable: boolean;
  /** Of a file in the workspace, where it was asked for and may be read. */
  readonly sha256: string | undefined;
}

/** @param path As the capsule gave it. Nothing outside the workspace is opened, and no pipe or device anywhere. */
export async function inspectPath(
  workspace: string,
  path: string,
  { hash }: { readonly hash: boolean },
): Promise<PathOnDisk> {
  const nowhere = { kind: 'absent', isExecutable: false, sha256: undefined } as const;
  const named = resolve(workspace, path.replaceAll('\0', ''));
  const realPath = await resolveExisting(named);
  const stats = await lstat(realPath).catch(() => undefined);
  if (stats === undefined) return { realPath, ...nowhere };
  if (stats.isDirectory()) return { realPath, ...nowhere, kind: 'folder' };
  if (!stats.isFile()) return { realPath, ...nowhere, kind: 'other' };
  const sha256 = hash && isInside(workspace, realPath) ? await hashOf(realPath) : undefined;
  return { realPath, kind: 'file', isExecutable: (stats.mode & 0o111) !== 0, sha256 };
}

async function hashOf(path: string): Promise<string | undefined> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  let file: FileHandle | undefined;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!(await file.stat()).isFile()) return undefined;
    const hash = createHash('sha256');
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
    return hash.digest('hex');
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}
