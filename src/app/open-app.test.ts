import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryPerson } from '../../test/temporary-person.ts';
import { processPlace } from '../platform/process-mark.ts';
import { openApp } from './open-app.ts';

it.runIf(process.platform === 'linux')(
  'Capstan removes at its start what an earlier one that was killed left of its own',
  async () => {
    const person = temporaryPerson();
    try {
      const { settings } = await person.load({ flags: { provider: 'offline' } });
      const { stateDir } = settings.places;
      const name = `capstan-net-${processPlace()}-${spawnSync('true').pid}-1-Xy12ab`;
      mkdirSync(join(stateDir, name), { recursive: true, mode: 0o700 });
      const app = await openApp({ settings, isIsolationWaived: true });
      try {
        await expect.poll(() => readdirSync(stateDir)).not.toContain(name);
      } finally {
        await app.close();
      }
    } finally {
      person.remove();
    }
  },
);
