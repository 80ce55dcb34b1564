import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../contract/errors.ts';
import type { Capsule, Overlay } from '../../registry/capsule-store.ts';
import type { CapsulesHere } from '../commands/capsules-ground.ts';

/**
 * The overlay that a capsule had: in a version that was used (the first digits of its hash, six at least), or in a
 * revision of the git repository that its file lies in.
 *
 * @throws AppError `OVERLAY_UNKNOWN`.
 */
export async function overlayAt(
  here: CapsulesHere,
  capsule: Capsule,
  named: string,
): Promise<Overlay> {
  const path = capsule.overlay?.path ?? join(capsule.dir, 'skill.md');
  const { text, known } = await fromVersions(here, capsule, named);
  const found = text ?? (await fromGit(here, path, named));
  if (found !== undefined) return { path: `${path} (${named})`, text: found };
  throw new AppError('OVERLAY_UNKNOWN', { version: named, capsule: capsule.id, known });
}

async function fromVersions(
  { stateDir }: CapsulesHere,
  capsule: Capsule,
  named: string,
): Promise<{ text: string | undefined; known: readonly string[] }> {
  const path = join(stateDir, 'capstan.db');
  if (!existsSync(path)) return { text: undefined, known: [] };
  const { openForReading } = await import('../../db/open-database.ts');
  const { createCapsuleMetrics } = await import('../../registry/capsule-metrics.ts');
  const db = openForReading(path);
  try {
    const metrics = createCapsuleMetrics(db);
    const known = metrics.versionsOf(capsule).map(({ version }) => version.slice(0, 12));
    const isHash = /^[0-9a-f]{6,64}$/.test(named);
    return { text: isHash ? metrics.overlayOf(capsule, named)?.text : undefined, known };
  } finally {
    db.close();
  }
}

const GIT_TIMEOUT_MS = 10_000;
const MOST_BYTES = 256 * 1024;

/** The blob as it stands in the repository: no filter, hook or fetch of the repository's own making runs. */
async function fromGit(
  { io: { environment } }: CapsulesHere,
  path: string,
  revision: string,
): Promise<string | undefined> {
  if (!/^[\w][\w./@{}^~+-]*$/.test(revision)) return undefined;
  const { PATH = '/usr/bin:/bin', HOME = '' } = environment;
  const env = { PATH, HOME, GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' };
  const args = ['-C', dirname(path), '-c', 'core.fsmonitor=false', 'cat-file', 'blob'];
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      [...args, `${revision}:./${basename(path)}`],
      { env, timeout: GIT_TIMEOUT_MS, maxBuffer: MOST_BYTES },
    );
    return stdout;
  } catch {
    return undefined;
  }
}
