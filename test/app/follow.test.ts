import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import type { NumberedEvent } from '../../src/contract/event.ts';
import { openStores } from '../../src/coordinator/store/open-stores.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { addCounter, killStarted, startRuns } from './other-process.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  addCounter(person);
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  killStarted();
  person.remove();
});

const collect = async (events: AsyncIterable<NumberedEvent>): Promise<NumberedEvent[]> => {
  const all: NumberedEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
};
const seqs = (events: readonly NumberedEvent[]) => events.map(({ seq }) => seq);
const oneTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('following a run of another process', () => {
  it('yields every event once, in order, from run.started to run.ended', async () => {
    const owner = startRuns(person, 'counter:Count to 30');
    const id = await owner.working('Count to 30');
    const events = await collect(capstan.runs.follow(id));
    await owner.exited;
    expect(seqs(events)).toEqual(oneTo(events.length));
    expect(events[0]?.event.type).toBe('run.started');
    expect(events.at(-1)?.event).toMatchObject({ type: 'run.ended', status: 'completed' });
    const steps = events.filter(({ event }) => event.type === 'capsule.progressed');
    expect(steps).toHaveLength(30);
    const log = readFileSync(join(person.home, 'state/runs', `${id}.jsonl`), 'utf8');
    expect(log.trimEnd().split('\n')).toHaveLength(events.length);
  });

  it('continues after the number of the last event that was read, without a gap', async () => {
    const owner = startRuns(person, 'counter:Count to 40');
    const id = await owner.working('Count to 40');
    const read: number[] = [];
    for await (const { seq } of capstan.runs.follow(id)) {
      read.push(seq);
      if (read.length === 12) break;
    }
    await sleep(100);
    const rest = await collect(capstan.runs.follow(id, { after: read.at(-1) }));
    expect([...read, ...seqs(rest)]).toEqual(oneTo(read.length + rest.length));
    expect(rest.at(-1)?.event.type).toBe('run.ended');
    await owner.exited;
    expect(await collect(capstan.runs.follow(id, { after: rest.at(-1)?.seq }))).toEqual([]);
  });

  it('sends a slow reader everything, and its process holds one page of rows', async () => {
    const owner = startRuns(person, 'counter:Count to 60');
    const id = await owner.working('Count to 60');
    const read: number[] = [];
    for await (const { seq } of capstan.runs.follow(id)) {
      read.push(seq);
      await sleep(read.length < 20 ? 60 : 0);
    }
    expect(read).toEqual(oneTo(read.length));
    expect(read.length).toBeGreaterThan(60);
    await owner.exited;
  });

  it('ends when its owner is killed: the run is parked as crashed', async () => {
    const owner = startRuns(person, 'counter:Count on');
    const id = await owner.working('Count on');
    const following = collect(capstan.runs.follow(id));
    await sleep(100);
    owner.child.kill('SIGKILL');
    const events = await following;
    expect(seqs(events)).toEqual(oneTo(events.length));
    expect(events.at(-1)?.event).toMatchObject({
      type: 'run.ended',
      status: 'parked',
      reason: 'crashed',
    });
  });

  it('ends when its signal aborts, when its reader leaves, and when Capstan closes', async () => {
    const owner = startRuns(person, 'counter:Count on');
    const id = await owner.working('Count on');
    const controller = new AbortController();
    const aborted = collect(capstan.runs.follow(id, { signal: controller.signal }));
    const closed = collect(capstan.runs.follow(id));
    const left = capstan.runs.follow(id, { after: 1_000 });
    const waiting = left.next();
    await sleep(50);
    expect(await left.return?.()).toMatchObject({ done: true });
    expect(await waiting).toMatchObject({ done: true });
    controller.abort();
    expect((await aborted)[0]?.seq).toBe(1);
    await capstan.close();
    expect((await closed)[0]?.seq).toBe(1);
    owner.child.kill('SIGKILL');
    await owner.exited;
  });
});

it('`runs follow` ends when the reader of its output is gone', async () => {
  const owner = startRuns(person, 'counter:Count to 1000');
  const id = await owner.working('Count to 1000');
  const child = spawn(process.execPath, [launcher, 'runs', 'follow', '--json', id], {
    cwd: person.project,
    env: { PATH: process.env['PATH'], ...person.environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(0);
  const { document } = await capstan.runs.get(id);
  expect(document.status).toBe('running');
});

it('resuming a run that another process executes follows it to its end', async () => {
  const owner = startRuns(person, 'counter:Count to 400');
  const id = await owner.working('Count to 400');
  const types: string[] = [];
  const run = await capstan.runs.resume(id, { onEvent: ({ type }) => void types.push(type) });
  expect(run.notices).toEqual(['Another process continues this run; following it.']);
  const left = await capstan.runs.resume(id);
  left.interrupt();
  expect(await left.finished).toMatchObject({ run_id: id, status: 'running' });
  expect(await run.finished).toMatchObject({ run_id: id, status: 'completed' });
  expect(types.at(-1)).toBe('run.ended');
  await owner.exited;
});

describe('following', () => {
  it('a run of this process ends with it, and a further task continues its session', async () => {
    const start = { capsule: 'counter', isIsolationWaived: true };
    const settings = { provider: 'offline' };
    const first = await capstan.runs.start({ ...start, settings, task: 'Count to 5' });
    const events = await collect(capstan.runs.follow(first.id));
    expect(seqs(events)).toEqual(oneTo(events.length));
    expect(events.at(-1)?.event).toMatchObject({ type: 'run.ended', status: 'completed' });
    const second = await capstan.sessions.continue(first.sessionId, {
      ...{ ...start, settings, task: 'Count on' },
    });
    const stopped = collect(capstan.runs.follow(second.id));
    expect((await capstan.runs.cancel(second.id, { by: 'test' })).status).toBe('cancelled');
    expect((await stopped)[0]?.event.type).toBe('run.started');
    expect((await second.finished).status).toBe('cancelled');
    const { runs } = await capstan.sessions.get(first.sessionId);
    expect(runs.map(({ task, status }) => [task, status])).toEqual([
      ['Count to 5', 'completed'],
      ['Count on', 'cancelled'],
    ]);
  });

  it('continues to follow a parked run only if requested', async () => {
    const owner = startRuns(person, 'counter:Count on');
    const id = await owner.working('Count on');
    owner.child.kill('SIGKILL');
    await owner.exited;
    const stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
    stores.close();
    const parked = await collect(capstan.runs.follow(id));
    const live = collect(capstan.runs.follow(id, { live: true }));
    await sleep(100);
    await capstan.runs.cancel(id, { by: 'test' });
    expect((await live).map(({ event }) => event).slice(parked.length)).toMatchObject([
      { type: 'run.ended', status: 'cancelled' },
    ]);
  });

  it('reports an invalid id or number at its first step', async () => {
    const first = (id: string, after = 0) => capstan.runs.follow(id, { after }).next();
    await expect(first('0199a1b2')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    await expect(first('last')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    await expect(first('last', -1)).rejects.toMatchObject({ code: 'USAGE' });
  });
});
