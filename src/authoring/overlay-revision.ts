import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';

const GIT_TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

/**
 * The text of a file in a revision of its git repository; undefined if there is none. No filter, hook or fetch of the
 * repository runs.
 *
 * @param environment Of which git gets `PATH` and `HOME`.
 */
export async function textInRevision(
  path: string,
  revision: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (!/^[\w][\w./@{}^~+-]*$/.test(revision)) return undefined;
  const { PATH = '/usr/bin:/bin', HOME = '' } = environment;
  const env = { PATH, HOME, GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' };
  const args = ['-C', dirname(path), '-c', 'core.fsmonitor=false', 'cat-file', 'blob'];
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      [...args, `${revision}:./${basename(path)}`],
      { env, timeout: GIT_TIMEOUT_MS, maxBuffer: MAX_BYTES },
    );
    return stdout;
  } catch {
    return undefined;
  }
}
