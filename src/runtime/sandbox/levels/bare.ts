import { randomUUID } from 'node:crypto';
import { CALL_MARK } from '../../process/process-tree.ts';
import { capsuleEnvironment } from '../capsule-process.ts';
import type { Sandbox } from '../sandbox.ts';

/** Sets the limits of a query process: KiB of memory and seconds of CPU time. */
const LIMIT = '{ ulimit -c 0; ulimit -d "$0"; ulimit -t "$1"; } 2>/dev/null; shift; exec "$@"';

/** Level none: processes with the user's permissions, but a clean environment. */
export const bare: Sandbox = {
  level: 'none',
  forCapsule({ argv, dir, sdkPath }) {
    const env = { ...capsuleEnvironment(sdkPath), [CALL_MARK]: randomUUID() };
    return { argv, cwd: dir, env, isBounded: true };
  },
  forTool({ argv, cwd, scratch, searchPath, variables }) {
    const own = { PATH: searchPath, LANG: 'C.UTF-8', HOME: scratch, TMPDIR: scratch };
    return { argv, cwd, env: { ...variables, ...own } };
  },
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
  }),
  sees: () => true,
  findProblem: () => undefined,
};
