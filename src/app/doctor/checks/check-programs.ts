import { existsSync, readdirSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { messageOf } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import { isProgram } from '../../../platform/files/is-program.ts';
import { installLine } from '../../../runtime/sandbox/find/install-line.ts';
import type { Environment } from '../../context/open-context.ts';
import { type Check, checksOf } from './check.ts';

const { ok, fail } = checksOf('installation');
const program = checksOf('programs');

/** Programs that some capsules or isolation levels need, and what to do if one is missing. */
const programs = [
  ['python3', 'Install Python 3.9 or later: `python_exec` and Python capsules need it.'],
  [
    'bwrap',
    `Install bubblewrap: \`${installLine('bubblewrap')}\`. Without it, the isolation level is lower.`,
  ],
  ['git', `Install git: \`${installLine('git')}\`. The git skill needs it.`],
] as const;

export const checkPrograms = (environment: Environment): Promise<Check[]> =>
  Promise.all(programs.map(([name, fix]) => checkProgram(name, fix, environment['PATH'] ?? '')));

async function checkProgram(name: string, fix: string, searchPath: string): Promise<Check> {
  const path = find(name, searchPath);
  if (path === undefined) return program.warn(name, 'not found', fix);
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
    return program.ok(name, `${printable(stdout.split('\n')[0] ?? '', 80)} (${path})`);
  } catch (error) {
    return program.warn(name, `${path} does not work: ${printable(messageOf(error))}`, fix);
  }
}

/** The first such program of the search path. Relative folders are skipped: they could belong to a project. */
const find = (name: string, searchPath: string): string | undefined =>
  searchPath
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);

/** The Node release that the package asks for, or a later one. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 20)
    ? ok('Node', version)
    : fail('Node', version, 'Install Node 20.20 or later.');
}

/** The built files that runs need. */
export function checkBuild(packageDir: string): Check[] {
  const sdk = join(packageDir, 'dist/capsule-sdk.cjs');
  const build = `Build it: \`npm run build\` in ${packageDir}.`;
  const missing = unbuiltCapsules(join(packageDir, 'agents'));
  return [
    existsSync(sdk) ? ok('capsule SDK', sdk) : fail('capsule SDK', `${sdk} is missing`, build),
    ...(missing.length === 0
      ? []
      : [fail('shipped capsules', `not built: ${missing.join(', ')}`, build)]),
  ];
}

/** Only a clone has the sources that are built. */
const unbuiltCapsules = (agents: string): string[] =>
  readdirSync(agents).filter(
    (id) =>
      existsSync(join(agents, id, 'handlers.ts')) && !existsSync(join(agents, id, 'handlers.cjs')),
  );
