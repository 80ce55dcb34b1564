import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { hasGroups } from '../../../test/isolation/sandboxes.ts';
import { startBounded } from './process-bound.ts';

/** How many of fifty children a shell could start. */
async function started(most: number): Promise<number> {
  const script = 'for i in $(seq 50); do sleep 60 >&- & echo started; done';
  const { child, group } = startBounded(
    () => spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] }),
    most,
  );
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await once(child, 'close');
  clearTimeout(timer);
  await group?.end();
  return said.split('started').length - 1;
}

describe.runIf(hasGroups)('the number of processes of a call of root', () => {
  it('is bounded by the kernel', async () => {
    expect(await started(20)).toBeLessThan(20);
  });

  it('is enough for all that stays below the bound', async () => {
    expect(await started(100)).toBe(50);
  });
});
