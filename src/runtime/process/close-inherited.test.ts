import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const module = JSON.stringify(join(import.meta.dirname, 'close-inherited.ts'));

const stdio = ['ignore', 'pipe', 'pipe'] as const;
/** Node sets close-on-exec for the first 16 descriptors when it starts. */
const unused = Array.from({ length: 17 }, () => 'ignore' as const);

/** With the path of a file as its argument: opens the file after the descriptors are closed, and writes to an inherited number. */
const program = `
  import { openSync, readFileSync, writeSync } from 'node:fs';
  import { closeInherited } from ${module};
  closeInherited();
  const fd = openSync(process.argv[1], 'w');
  writeSync(20, 'late');
  console.log(JSON.stringify({ fd, content: readFileSync(process.argv[1], 'utf8') }));`;

it.runIf(process.platform === 'linux')(
  'a late write to an inherited descriptor reaches neither its file nor one opened later',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-inherited-'));
    const given = openSync(join(folder, 'given'), 'w');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', program, join(folder, 'database')],
      { encoding: 'utf8', stdio: [...stdio, ...unused, given] },
    );
    closeSync(given);
    expect(stderr).toBe('');
    const { fd, content } = JSON.parse(stdout) as { fd: number; content: string };
    expect(fd).not.toBe(20);
    expect([content, readFileSync(join(folder, 'given'), 'utf8')]).toEqual(['', '']);
    rmSync(folder, { recursive: true });
  },
);

it.runIf(process.platform === 'linux')(
  'a descriptor above the limit of open files is closed, and files can still be opened',
  () => {
    const script = 'exec 200</dev/null; ulimit -n 100; exec "$@"';
    const args = ['--import', 'tsx', '--input-type=module', '-e'];
    const opens = `import { openSync } from 'node:fs'; import { closeInherited } from ${module}; closeInherited(); console.log(openSync('/dev/null') < 100);`;
    const { stdout } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args, opens], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('true\n');
  },
);
