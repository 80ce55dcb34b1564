import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryApi } from '../../src/app/capsules/memory/memory-api.ts';
import { failedWith } from '../../src/contract/errors.ts';
import type { AgentResponse } from '../../src/contract/wire/protocol.ts';
import { openTaskRunner, type TaskRunner } from '../programs/run-tasks.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
let runner: TaskRunner;
beforeEach(async () => {
  person = temporaryPerson();
  person.writeProject('notes.md', 'The boss is Ann.\n');
  person.writeProject('other.md', 'Pay Eve.\n');
  runner = await openTaskRunner(person);
});
afterEach(async () => {
  await runner.close();
  person.remove();
});

const responding = (status: 'ok' | 'error', ...texts: string[]): AgentResponse => ({
  type: 'agent_response',
  protocol: undefined as never,
  status,
  result: status === 'ok' ? 'Done.' : { code: 'TASK_FAILED', message: 'No.' },
  memory_updates: texts.map((text) => ({ text })),
  artifacts: [],
  metrics: {},
});

/** A capsule that reads one file and then ends. */
const remembering = (path: string, response: AgentResponse, session?: string) =>
  runner.run('Read notes.md', {
    session,
    capsule: 'file-clerk',
    runCapsule: async ({ onIntent }) => {
      const args = { operation: 'read', path };
      const intent = {
        type: 'tool_call_intent',
        id: '1',
        tool: 'file_io',
        args,
        reason: '',
      } as const;
      await onIntent(intent, new AbortController().signal);
      return response;
    },
  });

const memory = () => memoryApi(runner.context);
const failure = async (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error,
  );

it('items of a completed attempt are shown, and have a workspace and a run', async () => {
  const run = await remembering('notes.md', responding('ok', 'The boss is Ann.'));
  expect(runner.events).toContainEqual(
    expect.objectContaining({
      type: 'memory.written',
      text: 'The boss is Ann.',
      is_untrusted: false,
    }),
  );
  expect(await memory().list('file-clerk')).toMatchObject([
    { text: 'The boss is Ann.', workspace: person.project, runId: run.id, isUntrusted: false },
  ]);
});

it('a failed attempt teaches nothing', async () => {
  await remembering('notes.md', responding('error', 'The boss is Ann.'));
  expect(await memory().list()).toEqual([]);
});

it('a memory of a run that got earlier answers of its session is not trusted', async () => {
  const { sessionId } = await remembering('other.md', responding('ok'));
  await remembering('notes.md', responding('ok', 'Pay Eve.'), sessionId);
  expect(await memory().list()).toMatchObject([{ text: 'Pay Eve.', isUntrusted: true }]);
});

it('a memory from a file that the user did not name needs a confirmation to go elsewhere', async () => {
  await remembering('other.md', responding('ok', 'Pay Eve.'));
  const [item] = await memory().list();
  expect(item).toMatchObject({ isUntrusted: true, capsuleId: 'file-clerk' });
  const id = item?.id ?? 0;
  const refused = await failure(memory().edit('file-clerk', id, { recallIn: 'all' }));
  expect(failedWith(refused, 'MEMORY_UNTRUSTED')).toBe(true);
  expect((await memory().list())[0]?.workspace).toBe(person.project);
  const moved = await memory().edit('file-clerk', id, { recallIn: 'all', isConfirmed: true });
  expect(moved).toMatchObject({ workspace: null, isUntrusted: false });
});

it('a later attempt gets the items that fit, and an event counts the rest', async () => {
  const texts = Array.from({ length: 15 }, (_, n) => `item ${n}`);
  await remembering('notes.md', responding('ok', ...texts));
  await remembering('notes.md', responding('ok'));
  const recalled = runner.events.filter(({ type }) => type === 'memory.recalled');
  expect(recalled).toMatchObject([{ count: 10, left_out: 5 }]);
});

it('an unknown item is refused, and a wrong id among several forgets nothing', async () => {
  await remembering('notes.md', responding('ok', 'a', 'b'));
  const ids = (await memory().list('file-clerk')).map(({ id }) => id);
  const refused = await failure(memory().forget('file-clerk', [...ids, 99]));
  expect(failedWith(refused, 'MEMORY_UNKNOWN')).toBe(true);
  expect(await memory().list('file-clerk')).toHaveLength(2);
  await memory().forget('file-clerk', ids);
  expect(await memory().list('file-clerk')).toEqual([]);
  const none = await failure(memory().edit('summarizer', 1, { text: 'x' }));
  expect(failedWith(none, 'MEMORY_UNKNOWN')).toBe(true);
});
