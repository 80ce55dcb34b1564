import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** Programs that some capsules or a level of isolation need, and what to do where one is missing. */
const programs = [
  ['python3', 'Install Python 3.9 or later: `python_exec` and Python capsules need it.'],
  ['bwrap', 'Install bubblewrap: without it, isolation is at a lower level.'],
  ['git', 'Install git: the git skill needs it.'],
] as const;

export const checkPrograms = (environment: NodeJS.ProcessEnv): Promise<Check[]> =>
  Promise.all(programs.map(([name, fix]) => checkProgram(name, fix, environment['PATH'] ?? '')));

async function checkProgram(name: string, fix: string, searchPath: string): Promise<Check> {
  const path = find(name, searchPath);
  if (path === undefined) return warn(name, 'not found', fix);
  try {
    const { execa } = await import('execa');
    const { stdout } = await execa(path, ['--version'], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      extendEnv: false,
      stdin: 'ignore',
      timeout: 5_000,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024,
    });
    return ok(name, `${printable(stdout.split('\n')[0] ?? '', 80)} (${path})`);
  } catch (error) {
    return warn(name, `${path} does not work: ${printable(messageOf(error))}`, fix);
  }
}

/** The first such program of the search path; relative parts are left out, since a project could own them. */
function find(name: string, searchPath: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The Node release that the package asks for, or a later one. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 20)
    ? ok('Node', version)
    : fail('Node', version, 'Install Node 20.20 or later.');
}

/** What the build makes and every run needs. */
export function checkBuild(packageDir: string): Check {
  const sdk = join(packageDir, 'dist/capsule-sdk.cjs');
  return existsSync(sdk)
    ? ok('capsule SDK', sdk)
    : fail('capsule SDK', `${sdk} is missing`, 'Build it: `npm run build`.');
}

/** Whether questions can be asked here. */
export const checkTerminal = (isTerminal: boolean): Check =>
  isTerminal
    ? ok('terminal', 'yes: questions can be asked here')
    : warn(
        'terminal',
        'no: a run that has a question parks (exit code 3)',
        'Answer with `capstan approvals`, then `capstan resume`; or run in a terminal, or give --approve-mode.',
      );
