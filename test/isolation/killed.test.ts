import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleCode } from '../programs/bundle-program.ts';
import { hasBubblewrap, hasLandlock } from './sandboxes.ts';

const root = join(import.meta.dirname, '../..');

type Level = 'levelA' | 'levelB';

/** A coordinator that starts one hostile capsule and, at level A, one hostile command, and waits. */
const program = (workspace: string, seconds: string, level: Level) => `
  import { levelA, levelB } from ${JSON.stringify(join(import.meta.dirname, 'sandboxes.ts'))};
  import { launch } from ${JSON.stringify(join(root, 'src/runtime/process/launch.ts'))};
  const sandbox = ${level}();
  const tool = ${level === 'levelB'} ? undefined : await launch(sandbox.forTool({
    argv: ['bash', '-c', 'setsid setsid sleep ${seconds} & echo up; trap "" TERM; sleep ${seconds}'],
    workspace: ${JSON.stringify(workspace)}, cwd: ${JSON.stringify(workspace)}, access: 'read',
    scratch: '', searchPath: '/usr/bin:/bin', variables: {}, cpuSec: 10, covered: [],
  }));
  const capsule = await launch(sandbox.forCapsule({
    argv: ['node', '-e', 'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, ${seconds})'],
    dir: ${JSON.stringify(workspace)}, sdkPath: '/dev/null', isShipped: false, cpuSec: 10,
  }));
  for (const { stdout } of [tool, capsule].filter((one) => one)) await new Promise((done) => stdout.once('data', done));
  process.stdout.write('ready');
  setInterval(() => {}, 1000);
`;

const levels: readonly (readonly [string, boolean, Level, number])[] = [
  ['A, those in sessions of their own included', hasBubblewrap, 'levelA', 4],
  ['B', hasLandlock, 'levelB', 1],
];

describe.each(levels)(
  'a coordinator that is killed with SIGKILL at level %s',
  (_, isThere, level, least) => {
    it.runIf(isThere)('leaves no process behind', async () => {
      const workspace = mkdtempSync(join(tmpdir(), 'capstan-killed-'));
      const seconds = `${randomInt(1e6, 1e9)}`;
      const code = program(workspace, seconds, level);
      const coordinator = spawn(process.execPath, [bundleCode(code), seconds], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        await new Promise((resolve) => coordinator.stdout.once('data', resolve));
        // The coordinator itself is one of them.
        expect(holding(seconds).length).toBeGreaterThan(least);
        coordinator.kill('SIGKILL');
        await expect.poll(() => holding(seconds)).toEqual([]);
      } finally {
        coordinator.kill('SIGKILL');
        rmSync(workspace, { recursive: true, force: true });
      }
    });
  },
);

/** Processes whose command line contains a text. */
function holding(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}
