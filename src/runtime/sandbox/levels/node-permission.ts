import { realpathSync } from 'node:fs';
import { capsuleEnvironment } from '../capsule-process.ts';
import type { Argv, Sandbox } from '../sandbox.ts';
import { capsuleLimits, type Limits, limitArgs, queryLimits } from './limits.ts';

/** Node 22 renamed the flag. */
const permissionFlag = (): string =>
  Number(process.versions.node.split('.')[0]) >= 22 ? '--permission' : '--experimental-permission';

/** Node 20 fails an assertion if a file is named in addition to its folder. */
const permissionArgs = (folder: string, file: string): string[] => [
  permissionFlag(),
  '--disable-warning=ExperimentalWarning',
  `--allow-fs-read=${folder}/*`,
  ...(file.startsWith(`${folder}/`) ? [] : [`--allow-fs-read=${file}`]),
];

/**
 * Level C: Node's own permission model, for code that ships with Capstan; no other code is started.
 *
 * @param prlimit Undefined if it is not installed: then memory and time are not limited.
 */
export function nodePermission({ prlimit }: { readonly prlimit: string | undefined }): Sandbox {
  const limited = (limits: Limits, command: Argv): Argv =>
    prlimit === undefined ? command : [prlimit, ...limitArgs(limits), ...command];
  return {
    level: 'C',
    forCapsule(request) {
      const [program, ...args] = request.argv;
      if (!request.isShipped || program !== 'node') {
        throw new Error(
          'at isolation level C, only code that ships with Capstan runs; other code needs level A or B',
        );
      }
      const dir = realpathSync(request.dir);
      const sdk = realpathSync(request.sdkPath);
      const argv: Argv = [process.execPath, ...permissionArgs(dir, sdk), ...args];
      return {
        argv: limited(capsuleLimits(request.cpuSec), argv),
        cwd: dir,
        env: capsuleEnvironment(sdk),
      };
    },
    forTool() {
      throw new Error('programs are not started at isolation level C');
    },
    // The script is trusted, but SQLite is native code, which Node's permission model can't restrict.
    forQuery: (request) => ({
      argv: limited(queryLimits(request), [process.execPath, request.script]),
      cwd: '/',
      env: {},
      fds: request.fds,
    }),
    sees: () => true,
    findProblem: (stderr) => /^prlimit: ([^\n]*)/.exec(stderr)?.[1],
  };
}
