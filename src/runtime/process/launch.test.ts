import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundleCode } from '../../../test/programs/bundle-program.ts';

const isGone = (pid: number): boolean => {
  const stat = `/proc/${pid}/stat`;
  if (existsSync(stat)) return readFileSync(stat, 'utf8').includes(') Z ');
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

it('kills what it launched when this process exits', async () => {
  const program = `
    import { launch } from ${JSON.stringify(join(import.meta.dirname, 'launch.ts'))};
    const argv = ['node', '-e', 'setInterval(() => {}, 1000)'];
    const child = await launch({ argv, cwd: '/', env: {} });
    process.stdout.write(String(child.pid), () => process.exit(0));
  `;
  const ours = spawn(process.execPath, [bundleCode(program)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  ours.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await once(ours, 'close');
  const pid = Number(said);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isGone(pid)).toBe(true);
});
