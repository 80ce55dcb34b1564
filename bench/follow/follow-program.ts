import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { followEvents } from '../../src/coordinator/events/follow-events.ts';
import { openStores } from '../../src/coordinator/store/open-stores.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';

const RUN = 'run-1';
const [mode = '', dir = '', count = '0'] = process.argv.slice(2);
const stores = openStores(dir, { redactor: noSecrets });
const say = (value: number) => writeSync(1, `${value}\n`);

/**
 * Commits this many events, at intervals of 5 to 45 ms, every tenth of 1.2 s; prints when each was committed, in ms.
 */
async function write(): Promise<void> {
  const { journal, eventRows } = stores;
  for (let at = 0; at < Number(count); at++) {
    await sleep(at % 10 === 9 ? 1_200 : 5 + ((at * 7) % 41));
    journal.note(() => eventRows.append({ type: 'run.noticed', run_id: RUN, text: String(at) }));
    say(Date.now());
  }
}

/** The same with the first pieces of this many answers; prints when each was sent. */
async function stream(): Promise<void> {
  const { journal, deltas } = stores;
  const about = { run_id: RUN, subtask_id: 's1', capsule_id: 'c', at: '' };
  for (let at = 0; at < Number(count); at++) {
    await sleep(at % 10 === 9 ? 1_200 : 60 + ((at * 7) % 41));
    say(Date.now());
    const delta = { ...about, intent_id: String(at), from: 0, text: 'A piece of text.' };
    journal.note(() => deltas.add({ type: 'model.delta', ...delta }));
  }
}

/** Follows a run in which nothing happens; prints the CPU time of each second, in microseconds. */
async function rest(): Promise<void> {
  const controller = new AbortController();
  const following = drain(controller.signal);
  await sleep(2_000);
  for (let second = 0; second < Number(count); second++) {
    const before = process.cpuUsage();
    await sleep(1_000);
    const { user, system } = process.cpuUsage(before);
    say(user + system);
  }
  controller.abort();
  await following;
}

async function drain(signal: AbortSignal): Promise<void> {
  for await (const _event of followEvents(stores, RUN, { signal }));
}

const modes: Readonly<Record<string, () => Promise<void>>> = { rest, write, stream };
await modes[mode]?.();
stores.close();
