import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Git reads a configuration in milliseconds; on a network drive it may hang. */
const MAX_MS = 2_000;

/**
 * The person's name and e-mail address for commits, as the text of a Git configuration file; undefined if their own
 * configuration has none. The repository's configuration, which a project brings along, is not read.
 *
 * @param home The environment that Git finds the person's configuration with: HOME, XDG_CONFIG_HOME.
 * @param searchPath Absolute folders that no capsule can write.
 */
export async function readIdentity(
  home: Readonly<Record<string, string | undefined>>,
  searchPath: string,
): Promise<string | undefined> {
  const options = {
    cwd: '/',
    env: { ...home, PATH: searchPath },
    timeout: MAX_MS,
    killSignal: 'SIGKILL',
  } as const;
  const { stdout } = await promisify(execFile)('git', QUESTION, options).catch(() => ({
    stdout: '',
  }));
  const lines = [...stdout.matchAll(/(?:^|\0)user\.(name|email)\n([^\0]*)/g)].map(
    ([, key, value = '']) =>
      `\t${key} = "${value.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"\n`,
  );
  return lines.length > 0 ? `[user]\n${lines.join('')}` : undefined;
}

const QUESTION = 'config --global --includes -z --get-regexp ^user\\.(name|email)$'.split(' ');
