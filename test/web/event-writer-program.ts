import { setTimeout as sleep } from 'node:timers/promises';
import { openStores } from '../../src/coordinator/store/open-stores.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';

const PAUSE_MS = 10;

/**
 * Arguments: the folder of the database, then the runs. Commits 100 events a second, to each run in turn, until it is
 * killed.
 */
export async function main([dir = '', ...runs]: readonly string[]): Promise<never> {
  const { journal, eventRows } = openStores(dir, { redactor: noSecrets });
  const startedAt = performance.now();
  for (let at = 0; ; at++) {
    const run_id = runs[at % runs.length] ?? '';
    journal.note(() => eventRows.append({ type: 'run.noticed', run_id, text: `Event ${at}` }));
    await sleep(Math.max(0, startedAt + (at + 1) * PAUSE_MS - performance.now()));
  }
}
