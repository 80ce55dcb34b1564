import { randomUUID } from 'node:crypto';
import { CALL_MARK } from '../../kill-marked.ts';
import type { Sandbox } from '../sandbox.ts';

/** The memory limit of a query process in KiB, set by a shell that then executes Node. */
const asKib = (bytes: number): number => Math.floor(bytes / 1024);

/** Level none: processes with the user's permissions, but a clean environment. */
export const bare: Sandbox = {
  level: 'none',
  forCapsule: ({ argv: [program, ...args], dir, sdkPath }) => ({
    argv: [program === 'node' ? process.execPath : program, ...args],
    cwd: dir,
    env: { ...capsuleEnvironment(sdkPath), [CALL_MARK]: randomUUID() },
    fds: [],
    isSealed: false,
  }),
  forTool: ({ argv, cwd, scratch, searchPath, variables }) => ({
    argv,
    cwd,
    env: { ...variables, PATH: searchPath, LANG: 'C.UTF-8', HOME: scratch, TMPDIR: scratch },
    fds: [],
    isSealed: false,
  }),
  forQuery: ({ script, fds, memoryBytes, cpuSec }) => ({
    argv:
      process.platform === 'win32'
        ? [process.execPath, script]
        : [
            '/bin/sh',
            '-c',
            `{ ulimit -d ${asKib(memoryBytes)}; ulimit -t ${Math.ceil(cpuSec)}; } 2>/dev/null; exec "$0" "$@"`,
            process.execPath,
            script,
          ],
    cwd: '/',
    env: {},
    fds,
    isSealed: false,
  }),
  sees: () => true,
  findProblem: () => undefined,
};

/** The complete environment of a capsule. An allow-list, so that secrets added to the parent's environment are not inherited. */
const capsuleEnvironment = (sdkPath: string): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  LANG: 'C.UTF-8',
  NODE_ENV: 'production',
  CAPSTAN_SDK: sdkPath,
});
