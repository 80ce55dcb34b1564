import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderBytes } from '../../platform/files/folder-entries.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { syncFolder } from '../../platform/files/private-file.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { readChunks } from '../../tools/files/path-state.ts';

export type NotKept = Extract<Awaited<ReturnType<typeof copy>>, string>;

interface KeepLimits {
  readonly maxBytes: number;
  /** Whether a text contains a known secret: such content is not copied. */
  holdsSecret(text: string): boolean;
}

export type ContentStore = ReturnType<typeof contentStoreOf>;

/** Content of files of a run, stored once each under its SHA-256 in a folder that only the user can access. Removed with the run. */
export function contentStoreOf(stateDir: string, runId: string) {
  const folder = join(stateDir, 'runs', runId, 'before');
  const pathOf = (sha256: string) => join(folder, sha256);
  return {
    /** Copies an open file. Resolves once the copy is on disk, or with the reason why it is not stored. */
    async keep(fd: number, limits: KeepLimits) {
      makeDurably(folder);
      const temporary = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
      try {
        const kept = await copy(fd, temporary, limits);
        if (typeof kept === 'string' || existsSync(pathOf(kept.sha256))) return kept;
        renameSync(temporary, pathOf(kept.sha256));
        syncFolder(folder);
        return kept;
      } finally {
        rmSync(temporary, { force: true });
      }
    },
    /** Undefined if it is not stored, or damaged. */
    read(hash: string): Buffer | undefined {
      const content = existsSync(pathOf(hash)) ? readFileSync(pathOf(hash)) : undefined;
      return content && sha256(content) === hash ? content : undefined;
    },
    has: (sha256: string) => existsSync(pathOf(sha256)),
    remove: (sha256: string) => rmSync(pathOf(sha256), { force: true }),
    bytes: () => folderBytes(folder),
  };
}

/** The longest secret in any encoding. */
const MAX_SECRET_BYTES = 8 * 1024;

async function copy(fd: number, to: string, limits: KeepLimits) {
  await using target = await open(to, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  let end = Buffer.alloc(0);
  for await (const chunk of readChunks(fd)) {
    bytes += chunk.length;
    if (bytes > limits.maxBytes) return 'over_limit' as const;
    const text = Buffer.concat([end, chunk]);
    if (limits.holdsSecret(text.toString('utf8'))) return 'holds_secret' as const;
    end = text.subarray(-MAX_SECRET_BYTES);
    hash.update(chunk);
    await target.writeFile(chunk);
  }
  await target.sync();
  return { sha256: hash.digest('hex'), bytes };
}

/** Creates a folder, and syncs the directory entries of new folders to disk. */
function makeDurably(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.push(at);
  if (missing.length === 0) return;
  makeFolder(folder);
  for (const made of missing) syncFolder(dirname(made));
}
