import { randomUUID } from 'node:crypto';
import { CALL_MARK } from '../../kill-marked.ts';
import { capsuleEnvironment } from '../capsule-process.ts';
import type { Sandbox } from '../sandbox.ts';

/** Sets the limits of a query process: KiB of memory and seconds of CPU time. */
const LIMIT = '{ ulimit -c 0; ulimit -d "$0"; ulimit -t "$1"; } 2>/dev/null; shift; exec "$@"';

/** Level none: processes with the user's permissions, but a clean environment. */
export const bare: Sandbox = {
  level: 'none',
  forCapsule: ({ argv, dir, sdkPath }) => ({
    argv,
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
            ...(['/bin/sh', '-c', LIMIT, `${Math.floor(memoryBytes / 1024)}`] as const),
            ...[`${Math.ceil(cpuSec)}`, process.execPath, script],
          ],
    cwd: '/',
    env: {},
    fds,
    isSealed: false,
  }),
  sees: () => true,
  findProblem: () => undefined,
};
