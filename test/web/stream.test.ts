import { get, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addCounter, killStarted, startRuns } from '../app/other-process.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { type Server, startServer } from './open-dashboard.ts';

/** The counter reports every 25 ms, and the goal is 50 ms; the rest is a tolerance. */
const EVERY_MS = 25;
const P95_EVENTS = 4;

let person: Person;
let server: Server;
beforeEach(async () => {
  person = temporaryPerson();
  addCounter(person, EVERY_MS);
  server = await startServer({ cwd: person.project, home: dirname(person.home) });
});
afterEach(() => {
  server.process.kill('SIGKILL');
  killStarted();
  person.remove();
});

interface Received {
  readonly id: number;
  readonly event: { readonly type: string; readonly at: string };
  /** When it arrived, milliseconds since 1970. */
  readonly atMs: number;
}

const open = (path: string, after?: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${server.token}`,
      ...(after === undefined ? {} : { 'last-event-id': String(after) }),
    };
    get(`${server.url}/api/v1${path}`, { headers }, resolve).on('error', reject);
  });

/** Reads a stream until `count` events came, or it ends. */
async function receive(path: string, count: number, after?: number): Promise<Received[]> {
  const response = await open(path, after);
  response.setEncoding('utf8');
  const found: Received[] = [];
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const [, id] = /^id: (\d+)$/m.exec(message) ?? [];
      const [, data = ''] = /^data: (.*)$/m.exec(message) ?? [];
      if (id !== undefined)
        found.push({ id: Number(id), event: JSON.parse(data), atMs: Date.now() });
    }
    if (found.length >= count) break;
  }
  response.destroy();
  return found;
}

const numbers = (found: readonly Received[]) => found.map(({ id }) => id);

it('sends the events of a run of another process within a moment', async () => {
  const id = await startRuns(person, 'counter:Count to 9001').working('Count to 9001');
  const found = (await receive(`/runs/${id}/events`, 200)).slice(40);
  // In events, not in milliseconds: a busy machine delays the run as well.
  const isEarly = (one: Received, at: number) => {
    const later = found[at + P95_EVENTS];
    return later === undefined || one.atMs < Date.parse(later.event.at);
  };
  expect(found.filter(isEarly).length).toBeGreaterThan(found.length * 0.95);
});

it('continues after the number that a client names, without a gap or a repetition', async () => {
  const id = await startRuns(person, 'counter:Count to 9001').working('Count to 9001');
  const first = numbers(await receive(`/runs/${id}/events`, 30));
  const last = first.at(-1) ?? 0;
  const second = numbers(await receive(`/runs/${id}/events`, 30, last));
  expect([...first, ...second]).toEqual(
    Array.from({ length: second.at(-1) ?? 0 }, (_, at) => at + 1),
  );
});

it('does not let a client that reads nothing block a run or other clients', async () => {
  addCounter(person, 5);
  const id = await startRuns(person, 'counter:Count to 400').working('Count to 400');
  const slow = await open(`/runs/${id}/events`);
  slow.pause();
  const all = numbers(await receive(`/runs/${id}/events`, Number.POSITIVE_INFINITY));
  expect(all.length).toBeGreaterThan(400);
  expect(all).toEqual(Array.from({ length: all.length }, (_, at) => at + 1));
  slow.destroy();
});
