import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasBubblewrap } from './sandboxes.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

it.runIf(hasBubblewrap)(
  "descriptors inherited from Capstan's parent let no child escape from its sandbox or open a kernel setting",
  () => {
    const home = mkdtempSync(join(tmpdir(), 'capstan-inherited-'));
    const command = `exec 200<"$0"; exec "$1" "$2" doctor --isolation`;
    const { stdout, status } = spawnSync(
      'bash',
      ['-c', command, home, process.execPath, launcher],
      {
        encoding: 'utf8',
        timeout: 30_000,
        env: { PATH: process.env['PATH'] ?? '', HOME: home, CAPSTAN_HOME: join(home, 'capstan') },
      },
    );
    rmSync(home, { recursive: true, force: true });
    expect(stdout).toMatch(/inherited by Capstan +no \(none\) +no \(none\) +no \(none\)/);
    expect(stdout).toMatch(/kernel setting for writing +no \(\w+\) +no \(\w+\) +no \(\w+\)/);
    expect({ status, isKept: stdout.includes('prevented everything') }).toEqual({
      status: 0,
      isKept: true,
    });
  },
);
