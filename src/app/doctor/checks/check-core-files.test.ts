import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleCode } from '../../../../test/programs/bundle-program.ts';
import { textOfFile } from '../../../platform/try-or.ts';
import { judgeCoreFiles } from './check-core-files.ts';

const limitsWith = (
  soft: string,
) => `Limit                     Soft Limit           Hard Limit           Units
Max stack size            8388608              unlimited            bytes
Max core file size        ${soft.padEnd(20)} unlimited            bytes
Max processes             96365                96365                processes
`;

/** The status in a process with this limit of `ulimit -c`, in KiB. */
function statusAt(limit: string): string {
  const code = `
    import { checkCoreFiles } from ${JSON.stringify(join(import.meta.dirname, 'check-core-files.ts'))};
    process.stdout.write(checkCoreFiles()[0].status);`;
  const command = `ulimit -S -c ${limit}; exec "$0" "$@"`;
  return execFileSync('bash', ['-c', command, process.execPath, bundleCode(code)], {
    encoding: 'utf8',
  });
}

const isPiped = textOfFile('/proc/sys/kernel/core_pattern').startsWith('|');
/** False where the hard limit is 0: a container's may be. */
const isRaisable = /^Max core file size +\S+ +(?!0 )\S/m.test(textOfFile('/proc/self/limits'));

describe('the check of core files', () => {
  it.each([
    ['unlimited', 'core'],
    ['1048576', '/var/crash/%e.%p'],
  ])('warns at a limit of %s if the kernel writes files (%s)', (limit, pattern) => {
    expect(judgeCoreFiles(limitsWith(limit), pattern)).toMatchObject({
      status: 'warn',
      message: expect.stringContaining(pattern),
      fix: expect.stringContaining('ulimit -c 0'),
    });
  });

  it.each(['0', 'unlimited'])('warns at a limit of %s if a program gets them', (limit) => {
    expect(judgeCoreFiles(limitsWith(limit), '|/usr/share/apport/apport -p%p')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/given to \/usr\/share\/apport\/apport$/),
    });
  });

  it.each([
    ['0', 'core'],
    ['1', '|/usr/share/apport/apport -p%p'],
  ])('accepts a limit of %s for %s', (limit, pattern) => {
    expect(judgeCoreFiles(limitsWith(limit), pattern).status).toBe('ok');
  });

  it.runIf(isRaisable)('reads the limit of its own process', () => {
    expect(statusAt('4')).toBe('warn');
  });

  it.runIf(process.platform === 'linux')('accepts a process that writes none', () => {
    expect(statusAt('0')).toBe(isPiped ? 'warn' : 'ok');
  });
});
