import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch } from '../../src/runtime/launch.ts';
import { hasLandlock, levelB } from './sandboxes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-attributes-'));
  writeFileSync(join(folder, 'sdk.cjs'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file of the person, which the capsule can name and not open. */
const victim = () => {
  const path = join(folder, 'victim');
  writeFileSync(path, 'x', { mode: 0o600 });
  return path;
};

/** What Python says of a call by a capsule at level B: `done`, or the name of its error. */
async function attempt(code: string): Promise<string> {
  const dir = join(folder, 'capsule');
  rmSync(dir, { recursive: true, force: true });
  const program = `
import ctypes, errno, os, sys
libc = ctypes.CDLL(None, use_errno=True)
victim, pid = sys.argv[1], int(sys.argv[2])
def call(name, *args):
    ctypes.set_errno(0)
    if getattr(libc, name)(*args) < 0:
        raise OSError(ctypes.get_errno(), name)
try:
    ${code}
    print('done')
except OSError as error:
    print(errno.errorcode.get(error.errno))
`;
  mkdirSync(dir);
  const child = await launch(
    levelB().forCapsule({
      argv: ['python3', '-IS', '-c', program, victim(), String(process.pid)],
      dir,
      sdkPath: join(folder, 'sdk.cjs'),
      isShipped: true,
      cpuSec: 10,
    }),
  );
  child.stdin.end();
  let said = '';
  for await (const text of child.stdout) said += String(text);
  return said.trim();
}

describe.runIf(hasLandlock)('a capsule at level B', () => {
  it.each([
    ['chmod', 'os.chmod(victim, 0o777)'],
    ['fchmod', 'os.fchmod(1, 0o777)'],
    ['fchmodat', "call('fchmodat', -100, victim.encode(), 0o777, 0)"],
    ['chown', 'os.chown(victim, os.getuid(), os.getgid())'],
    ['lchown', 'os.lchown(victim, os.getuid(), os.getgid())'],
    ['fchown', 'os.fchown(1, os.getuid(), os.getgid())'],
    ['utime', 'os.utime(victim, (1, 1))'],
    ['setxattr', "os.setxattr(victim, 'user.x', b'y')"],
    ['removexattr', "os.removexattr(victim, 'user.x')"],
    ['setpriority', 'os.setpriority(os.PRIO_PROCESS, pid, 19)'],
    ['sched_setscheduler', 'os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))'],
    ['sched_setaffinity', 'os.sched_setaffinity(pid, [0])'],
    ['sethostname', "call('sethostname', b'x', 1)"],
    [
      'prlimit of another process',
      "call('prlimit', pid, 7, (ctypes.c_uint64 * 2)(4096, 4096), None)",
    ],
  ])('is refused %s', async (_name, code) => {
    const before = statSync(victim());
    expect(await attempt(code)).toBe('EPERM');
    const { mode, uid } = statSync(join(folder, 'victim'));
    expect({ mode, uid }).toEqual({ mode: before.mode, uid: before.uid });
  });

  it('may lower its own limits, and read those of others', async () => {
    expect(await attempt("call('prlimit', 0, 7, (ctypes.c_uint64 * 2)(64, 64), None)")).toBe(
      'done',
    );
    expect(await attempt("call('prlimit', 0, 7, None, (ctypes.c_uint64 * 2)())")).toBe('done');
  });
});
