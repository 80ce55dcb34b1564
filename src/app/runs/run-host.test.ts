import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTaskRunner } from '../../../test/programs/run-tasks.ts';
import { temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { processPlace } from '../../platform/process-mark.ts';
import { runHost } from './run-host.ts';

it.runIf(process.platform === 'linux')(
  'the first run of a process removes temporary folders of processes that were killed',
  async () => {
    const person = temporaryPerson();
    try {
      const stateDir = join(person.home, 'state');
      const name = `capstan-net-${processPlace()}-${spawnSync('true').pid}-1-Xy12ab`;
      mkdirSync(join(stateDir, name), { recursive: true, mode: 0o700 });
      const runner = await openTaskRunner(person);
      try {
        await runHost(runner.context);
        await expect.poll(() => readdirSync(stateDir)).not.toContain(name);
      } finally {
        await runner.close();
      }
    } finally {
      person.remove();
    }
  },
);
