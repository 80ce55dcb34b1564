import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { inOrder, type ScriptedReply } from '../model-server/script.ts';
import { openTaskRunner, type TaskRunner } from '../programs/run-tasks.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
let runner: TaskRunner | undefined;
let server: ModelServer | undefined;
let isPlanned: boolean;
beforeEach(() => {
  isPlanned = false;
  person = temporaryPerson();
  person.writeProject('a.md', 'one\n');
});
afterEach(async () => {
  await runner?.close();
  await server?.close();
  person.remove();
});

/** Runs a task with the file clerk, in a real process, with a model that returns these answers. */
async function run(task: string, ...answers: readonly ScriptedReply[]) {
  server = await startModelServer({ vendor: 'openai', script: inOrder(...answers) });
  runner = await openTaskRunner(person, {
    environment: {
      OPENAI_API_KEY: 'key-0123456789abcdef0123456789abcdef',
      CAPSTAN_BASE_URL: server.baseUrl,
    },
    settings: { provider: 'openai', model: server.model },
  });
  const row = await runner.run(task, isPlanned ? {} : { capsule: 'file-clerk' });
  const notices = runner.events.flatMap((one) => (one.type === 'run.noticed' ? one.text : []));
  return { row, subtask: runner.stores.subtasks.of(row.id)[0], chats: server.chats, notices };
}

const fileIo = (args: Record<string, unknown>): ScriptedReply => ({
  tool_calls: [{ name: 'file_io', args }],
});
const final = (args: Record<string, unknown>): ScriptedReply => ({
  tool_calls: [{ name: 'final', args: { status: 'ok', result: 'Done.', ...args } }],
});
const written = fileIo({ operation: 'write', path: 'b.md', content: 'two\n' });

it('a model that claims a file gets the error that it is missing, and can write it', async () => {
  const claim = final({ artifacts: ['b.md'] });
  const { row, chats } = await run('Save the word two as b.md', claim, written, claim);
  expect(row.status).toBe('completed');
  expect(chats[1]?.messages.at(-1)?.content).toContain('b.md does not exist in the workspace');
  expect(readFileSync(join(person.project, 'b.md'), 'utf8')).toBe('two\n');
});

it('a model that claims a missing file twice fails the attempt', async () => {
  const claim = final({ artifacts: ['c.pdf'] });
  const { row, subtask } = await run('Count the words of a.md', claim, claim, claim, claim);
  expect(row.status).toBe('failed');
  expect(subtask?.error).toMatchObject({
    code: 'OUTPUT_MISSING',
    message: expect.stringContaining('c.pdf'),
  });
});

it('a file that is right already need not be written, if it was read and is named', async () => {
  const unchanged = final({ unchanged: ['a.md'] });
  const { row, chats } = await run(
    'Append the line one to a.md',
    unchanged,
    fileIo({ operation: 'read', path: 'a.md' }),
    unchanged,
  );
  expect(chats[1]?.messages.at(-1)?.content).toContain('was not read in this run');
  expect(row.status).toBe('completed');
});

it('a file outside the workspace is never confirmed, whether it exists or not', async () => {
  const claim = final({ artifacts: ['/etc/passwd', '../none'] });
  const { chats } = await run('Count the words of a.md', claim, final({}));
  expect(chats[1]?.messages.at(-1)?.content).toContain(
    '/etc/passwd does not exist in the workspace; ../none does not exist in the workspace',
  );
});

it('calls written as text are performed, and prose never ends a step that writes', async () => {
  const call = JSON.stringify({
    name: 'file_io',
    arguments: { operation: 'write', path: 'b.md', content: 'two\n' },
  });
  const { row, chats } = await run(
    'Save the word two as b.md',
    { text: "I'll write the file now." },
    { text: `<tool_call>\n${call}\n</tool_call>` },
    final({ artifacts: ['b.md'] }),
  );
  expect(chats[1]?.messages.at(-1)?.content).toContain('contains no tool call');
  expect(row.status).toBe('completed');
  expect(readFileSync(join(person.project, 'b.md'), 'utf8')).toBe('two\n');
});

it.each([
  ['reads another file of that name', fileIo({ operation: 'read', path: 'other/a.md' })],
  [
    'writes its name into another file',
    fileIo({ operation: 'write', path: 'b.md', content: 'See a.md\n' }),
  ],
])('a call that %s does not count as reading the file', async (_, call) => {
  person.writeProject('other/a.md', 'two\n');
  const unchanged = final({ unchanged: ['a.md'] });
  const { chats } = await run('Append the line one to a.md', call, unchanged, final({}));
  expect(chats[2]?.messages.at(-1)?.content).toContain('was not read in this run');
});

it('a folder is not a file that was written', async () => {
  const { chats } = await run('Count the words of a.md', final({ artifacts: ['.'] }), final({}));
  expect(chats[1]?.messages.at(-1)?.content).toContain('. does not exist');
});

it('a model that changes nothing in a step that must is told once, and a notice of the run says so', async () => {
  const step = { id: 's1', description: 'Delete a.md', capsule: 'file-clerk', needs: ['delete'] };
  const plan = { text: JSON.stringify({ discovery: [], execution: [step] }) };
  isPlanned = true;
  const { row, chats, notices } = await run('Delete a.md', plan, final({}), final({}));
  expect(row).toMatchObject({ status: 'completed', answer: 'Done.' });
  expect(chats[2]?.messages.at(-1)?.content).toContain('nothing was changed');
  expect(notices).toEqual([
    'Nothing was changed, although this step was to change something: Delete a.md',
  ]);
});

/** A plan of two steps, the second of which needs the first. */
const step = { capsule: 'file-clerk', depends_on: [] };
const count = { ...step, id: 's1', description: 'Count the words' };
const list = { ...step, id: 's2', description: 'List the files', depends_on: ['s1'] };
const twoSteps = { text: JSON.stringify({ discovery: [], execution: [count, list] }) };

it('the results of several steps have headings if the model does not write the answer', async () => {
  isPlanned = true;
  const { row } = await run('Count and list', twoSteps, final({}), final({ result: 'a.md' }));
  expect(row.answer).toBe('## 1. Count the words\n\nDone.\n\n## 2. List the files\n\na.md');
});

it('a failed step is named once then, with its status in its heading', async () => {
  isPlanned = true;
  const failed = final({ status: 'error', result: 'No words.' });
  const { row } = await run('Count and list', twoSteps, failed);
  const parts = ['## 1. Count the words (failed)', 'No words.'];
  expect(row.answer).toContain([...parts, '## 2. List the files (skipped)', ''].join('\n\n'));
});
