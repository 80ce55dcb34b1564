import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasBubblewrap } from './sandboxes.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'capstan-closed-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** In a user namespace in which nobody can create another one. */
function capstan(...args: string[]) {
  const command = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$0" "$@"';
  return spawnSync('unshare', ['-Ur', 'sh', '-c', command, process.execPath, launcher, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
    cwd: home,
    env: { PATH: '/usr/bin:/bin', HOME: home, CAPSTAN_HOME: join(home, 'capstan') },
  });
}

it.runIf(hasBubblewrap)(
  'if the kernel allows no user namespaces, doctor, a refusal and the notice of a run name the setting',
  () => {
    const named = 'sysctl -w user.max_user_namespaces=';
    const doctor = capstan('doctor');
    expect(doctor.stdout).toMatch(/isolation +[BC]: /);
    expect(doctor.stdout).toContain(named);
    const refused = capstan('run', '--require-isolation', 'A', 'Run `true`');
    expect({ status: refused.status, says: refused.stderr.includes(named) }).toEqual({
      status: 7,
      says: true,
    });
    expect(capstan('run', 'Run `true`').stderr).toContain(named);
    expect(doctor.stdout + refused.stderr).not.toContain('install bubblewrap');
  },
);
