import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import type { NumberedEvent, TextDelta } from '../../src/contract/event.ts';
import { openStores } from '../../src/coordinator/store/open-stores.ts';
import { noSecrets, REDACTED } from '../../src/policy/secrets/redact.ts';
import { addRun } from '../setup/broker-parts.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { addTeller } from './add-teller.ts';
import { type StreamServer, startStreamServer } from './stream-server.ts';

const KEY = 'sk-proj-aB3dE6gH9jK2mN5pQ8rS';

let person: Person;
const opened: { close(): unknown }[] = [];
beforeEach(() => {
  person = temporaryPerson();
  addTeller(person);
});
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
  person.remove();
});

async function open(server: StreamServer): Promise<Capstan> {
  const env = {
    ...person.environment,
    CAPSTAN_PROVIDER: 'openai',
    CAPSTAN_BASE_URL: server.baseUrl,
    CAPSTAN_MODEL_BALANCED: 'm',
    OPENAI_API_KEY: KEY,
  };
  const capstan = await openCapstan({ env, cwd: person.project });
  opened.push(capstan);
  return capstan;
}

async function serve(...options: Parameters<typeof startStreamServer>): Promise<StreamServer> {
  const server = await startStreamServer(...options);
  opened.push(server);
  return server;
}

const start = (capstan: Capstan) =>
  capstan.runs.start({ task: 'Tell me.', capsule: 'teller', isIsolationWaived: true });

interface Arrived {
  readonly delta: TextDelta;
  readonly atMs: number;
}

async function deltasOf(events: AsyncIterable<NumberedEvent | TextDelta>): Promise<Arrived[]> {
  const all: Arrived[] = [];
  for await (const one of events) {
    if (!('seq' in one)) all.push({ delta: one, atMs: performance.now() });
  }
  return all;
}

/** The text as a follower has it after these deltas. */
const textAfter = (deltas: readonly Arrived[]): string =>
  deltas.reduce((text, { delta }) => text.slice(0, delta.from) + delta.text, '');

const words = Array.from({ length: 60 }, (_, at) => `word ${at}, `);

describe('following a run with the texts of answers', () => {
  it('delivers the text while it arrives, in at most 20 pieces a second, and stores none', async () => {
    const server = await serve(words, { gapMs: 25, waitMs: 300 });
    const capstan = await open(server);
    const run = await start(capstan);
    const all = await deltasOf(capstan.runs.follow(run.id, { deltas: true }));
    const { subtasks } = await run.finished;
    expect(textAfter(all)).toBe(words.join(''));
    expect(subtasks[0]?.result).toBe(words.join(''));
    expect(all.length).toBeGreaterThan(10);
    for (const { delta } of all) {
      expect(delta).toMatchObject({ type: 'model.delta', run_id: run.id, capsule_id: 'teller' });
      expect(delta).not.toHaveProperty('seq');
    }
    const times = all.map(({ delta }) => Date.parse(delta.at));
    for (const [at, time] of times.entries()) {
      expect(times.filter((other) => other >= time && other < time + 1_000).length).toBeLessThan(
        21,
      );
      if (at > 0) expect(time).toBeGreaterThanOrEqual(times[at - 1] ?? 0);
    }
    // 20 ms on a machine at rest: `npm run bench`.
    expect((all[0]?.atMs ?? Number.NaN) - server.firstSentMs()).toBeLessThan(500);
    expect(readFileSync(join(person.home, 'state/runs', `${run.id}.jsonl`), 'utf8')).not.toContain(
      'model.delta',
    );
    expect(await deltasOf(capstan.runs.follow(run.id, { deltas: true }))).toEqual([]);
    expect(await deltasOf(capstan.runs.follow(run.id))).toEqual([]);
  });

  it('delivers the text so far to another process, and to a follower that reconnects', async () => {
    const server = await serve(words, { gapMs: 60 });
    const capstan = await open(server);
    const other = await open(server);
    await other.runs.list();
    const run = await start(capstan);
    for await (const one of capstan.runs.follow(run.id, { deltas: true })) {
      if (!('seq' in one) && one.from > 50) break;
    }
    const all = await deltasOf(other.runs.follow(run.id, { deltas: true }));
    await run.finished;
    expect(all[0]?.delta.from).toBe(0);
    expect(all[0]?.delta.text.length).toBeGreaterThan(50);
    expect(words.join('')).toContain(textAfter(all));
    expect(textAfter(all).length).toBeGreaterThan(300);
  });

  it('shows nothing of a key that the model repeats in pieces', async () => {
    const pieces = [
      'Your key is ',
      KEY.slice(0, 7),
      KEY.slice(7, 20),
      `${KEY.slice(20)}.`,
      ' Bye.',
    ];
    const capstan = await open(await serve(pieces, { gapMs: 80, waitMs: 300 }));
    const run = await start(capstan);
    const all = await deltasOf(capstan.runs.follow(run.id, { deltas: true }));
    await run.finished;
    expect(textAfter(all)).toBe(`Your key is ${REDACTED}. Bye.`);
    for (const { delta } of all) expect(delta.text).not.toContain('sk-proj');
  });

  it('sends no text if nobody asks for it, and to `onDelta` of the run', async () => {
    const capstan = await open(await serve(words, { gapMs: 5 }));
    const heard: TextDelta[] = [];
    const run = await capstan.runs.start({
      task: 'Tell me.',
      capsule: 'teller',
      isIsolationWaived: true,
      onDelta: (delta) => heard.push(delta),
    });
    expect(await deltasOf(capstan.runs.follow(run.id))).toEqual([]);
    await run.finished;
    expect(textAfter(heard.map((delta) => ({ delta, atMs: 0 })))).toBe(words.join(''));
  });
});

describe('following a run that executes a command', () => {
  const execute = async (script: string) => {
    const env = { ...person.environment, CAPSTAN_PROVIDER: 'offline', OPENAI_API_KEY: KEY };
    const capstan = await openCapstan({ env, cwd: person.project });
    opened.push(capstan);
    writeFileSync(join(person.project, 'work.sh'), script);
    const settings = { approveMode: 'allow' };
    const run = await capstan.runs.start({ task: 'Run `bash work.sh`', settings });
    const all = await deltasOf(capstan.runs.follow(run.id, { deltas: true }));
    const { answer } = await run.finished;
    return { all, answer, left: await deltasOf(capstan.runs.follow(run.id, { deltas: true })) };
  };

  it('delivers its output while it runs, without known secrets, and stores none', async () => {
    const script = `echo first; sleep 2; echo ${KEY} >&2; sleep 2; echo last`;
    const { all, answer, left } = await execute(script);
    expect(textAfter(all)).toContain(`first\n${REDACTED}\n`);
    expect(textAfter(all)).not.toContain(KEY);
    for (const { delta } of all)
      expect(delta).toMatchObject({ type: 'tool.delta', from: expect.any(Number) });
    expect(answer).toContain('last');
    expect(left).toEqual([]);
  });

  it('delivers nothing of a command that ends within a second', async () => {
    const { all, answer } = await execute('echo first; echo last');
    expect(all).toEqual([]);
    expect(answer).toContain('last');
  });
});

it('the texts of a run whose process died are gone when the next one opens the database', async () => {
  const dir = join(person.home, 'stores');
  mkdirSync(dir);
  const stores = openStores(dir, { redactor: noSecrets });
  addRun(stores.db, 'run-1');
  stores.db.prepare("UPDATE runs SET owner = '999999-1' WHERE id = 'run-1'").run();
  const about = { run_id: 'run-1', subtask_id: 's1', capsule_id: 'c', intent_id: 'i', at: '' };
  stores.deltas.add({ type: 'model.delta', ...about, from: 0, text: 'half a sen' });
  expect(stores.deltas.after('run-1', 0).deltas).toHaveLength(1);
  stores.close();
  await sleep(10);
  const next = openStores(dir, { redactor: noSecrets });
  opened.push(next);
  expect(next.deltas.after('run-1', 0).deltas).toEqual([]);
});
