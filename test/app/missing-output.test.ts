import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AgentResponse } from '../../src/contract/wire/protocol.ts';
import { openTaskRunner, type TaskRunner } from '../programs/run-tasks.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
let runner: TaskRunner;
beforeEach(async () => {
  person = temporaryPerson();
  person.writeProject('notes.md', 'Write to ann@example.com.\n');
  runner = await openTaskRunner(person);
});
afterEach(async () => {
  await runner.close();
  person.remove();
});

const done: AgentResponse = {
  type: 'agent_response',
  protocol: undefined as never,
  status: 'ok',
  result: 'Done.',
  memory_updates: [],
  artifacts: [],
  metrics: {},
};

/** A capsule that runs `work`, and reports success. */
const runWith = (task: string, work: () => void) =>
  runner.run(task, {
    capsule: 'file-clerk',
    runCapsule: async () => {
      work();
      return done;
    },
  });
const errorOf = (id: string) => runner.stores.subtasks.of(id)[0]?.error;

it('a step that does not write a required file fails, and names the file', async () => {
  const run = await runWith('Extract the addresses from notes.md into emails.txt', () => {});
  expect(run).toMatchObject({ status: 'failed', reason: 'subtask_failed' });
  expect(errorOf(run.id)).toMatchObject({
    code: 'OUTPUT_MISSING',
    message: expect.stringContaining('emails.txt'),
  });
});

it('a file of that name from before the run does not count', async () => {
  person.writeProject('emails.txt', 'old\n');
  const run = await runWith('Extract the addresses from notes.md into emails.txt', () => {});
  expect(errorOf(run.id)).toMatchObject({ code: 'OUTPUT_MISSING' });
});

it('a file that a program wrote counts', async () => {
  const run = await runWith('Extract the addresses from notes.md into emails.txt', () =>
    writeFileSync(join(person.project, 'emails.txt'), 'ann@example.com\n'),
  );
  expect(run.status).toBe('completed');
});

it('a file that was there and is gone fails the step', async () => {
  const path = person.writeProject('emails.txt', 'old\n');
  const run = await runWith('Extract the addresses from notes.md into emails.txt', () =>
    rmSync(path),
  );
  expect(run.status).toBe('failed');
});

it('a step that names no file to write is not affected', async () => {
  const run = await runWith('Count the words in notes.md', () => {});
  expect(run.status).toBe('completed');
});

/** A capsule that reads these files, and reports success. */
const runReader = (task: string, ...paths: string[]) =>
  runner.run(task, {
    capsule: 'file-clerk',
    runCapsule: async ({ onIntent }) => {
      for (const [at, path] of paths.entries()) {
        const args = { operation: 'read', path };
        const read = {
          type: 'tool_call_intent',
          protocol: 1,
          id: `i${at}`,
          tool: 'file_io',
          args,
          reason: 'needed',
        } as const;
        await onIntent(read, new AbortController().signal);
      }
      return done;
    },
  });

it.each([
  'Append a summary of t.txt to notes.md',
  'Translate t.txt and save it as notes.md',
  'Rename t.txt to notes.md',
  'Count the words of t.txt and note it in notes.md',
])('a file that was only read does not count as written: %s', async (task) => {
  person.writeProject('t.txt', 'one\n');
  const run = await runReader(task, 't.txt', 'notes.md');
  expect(errorOf(run.id)).toMatchObject({ code: 'OUTPUT_MISSING' });
});

it('a file that the task only compares with need not be written', async () => {
  person.writeProject('t.txt', 'one\n');
  const run = await runReader('Compare t.txt to notes.md', 't.txt', 'notes.md');
  expect(run.status).toBe('completed');
});

it.each([
  ['Translate notes.md to German in de.txt', 'de.txt'],
  ['Extract the addresses of notes.md, output: emails.txt', 'emails.txt'],
  ['Save the summary of notes.md as Makefile', 'Makefile'],
])('%s fails if %s is not there', async (task, name) => {
  const run = await runReader(task, 'notes.md');
  expect(errorOf(run.id)?.message).toContain(name);
});
