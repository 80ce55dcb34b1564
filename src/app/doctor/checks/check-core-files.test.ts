import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleCode } from '../../../../test/programs/bundle-program.ts';
import { judgeCoreFiles } from './check-core-files.ts';

const limitsWith = (
  soft: string,
) => `Limit                     Soft Limit           Hard Limit           Units
Max stack size            8388608              unlimited            bytes
Max core file size        ${soft.padEnd(20)} unlimited            bytes
Max processes             96365                96365                processes
`;

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

  it.runIf(process.platform === 'linux').each([
    ['0', /^(ok|warn)$/],
    ['4096', /^warn$/],
  ])('reads the limit of its own process (%s)', (limit, status) => {
    const code = `
      import { checkCoreFiles } from ${JSON.stringify(join(import.meta.dirname, 'check-core-files.ts'))};
      process.stdout.write(checkCoreFiles()[0].status);`;
    const command = `ulimit -S -c ${Number(limit) / 1024}; exec "$0" "$@"`;
    const said = execFileSync('bash', ['-c', command, process.execPath, bundleCode(code)], {
      encoding: 'utf8',
    });
    expect(said).toMatch(status);
  });
});
