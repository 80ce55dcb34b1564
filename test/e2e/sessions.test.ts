import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedAnswer, ScriptedRequest } from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

const FIRST = 'Count the orders of each month in orders.csv and save them as months.csv';
const SECOND = 'And now only for March';

let sandbox: Sandbox;
let server: ModelServer | undefined;
beforeEach(() => {
  sandbox = createSandbox();
  writeFileSync(join(sandbox.workspace, 'orders.csv'), 'id,month\n1,March\n2,April\n');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  sandbox.remove();
});

const call = (name: string, args: Record<string, unknown>): ScriptedAnswer => ({
  tool_calls: [{ name, args }],
});
const textOf = ({ messages }: ScriptedRequest) => messages.map(({ content }) => content).join('\n');
const hasResult = ({ messages }: ScriptedRequest) => messages.some(({ role }) => role === 'tool');
const isWork = ({ responseName }: ScriptedRequest) => responseName === undefined;

type Answers = (
  request: ScriptedRequest,
) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>;

/** A model that plans one step with the words of the task, unless `answers` overrides it. */
async function model(answers: Answers = () => undefined) {
  const script: Script = async (request) => (await answers(request)) ?? usual(request);
  server = await startModelServer({ vendor: 'ollama', script });
}

function usual(request: ScriptedRequest): ScriptedAnswer {
  if (request.responseName === 'judge') return { json: { choice: 'file-clerk', why: 'files' } };
  if (isWork(request)) return work(request);
  const { task } = JSON.parse(request.messages[0]?.content ?? '{}') as { task: string };
  const description = task === SECOND ? 'Count the orders of March in orders.csv' : task;
  const step = { id: 's1', description, depends_on: [], capsule: 'file-clerk' };
  return { json: { discovery: [], execution: [step] } };
}

function work(request: ScriptedRequest): ScriptedAnswer {
  if (!textOf(request).startsWith(`Your task:\n\n${FIRST}`))
    return call('final', { status: 'ok', result: 'March has 1 order.' });
  return hasResult(request)
    ? call('final', { status: 'ok', result: 'March 1, April 1. See www.first.example.' })
    : call('file_io', { operation: 'write', path: 'months.csv', content: 'March,1\n' });
}

/** Runs a task with the model. */
const run = (task: string, ...options: string[]) =>
  sandbox.runJson(
    ['run', '--provider', 'ollama', '--model', server?.model ?? '', ...options, task],
    { CAPSTAN_BASE_URL: server?.baseUrl ?? '' },
  );

const chatsSince = (count: number) => (server?.chats ?? []).slice(count);
const planOf = (chats: readonly ScriptedRequest[]) =>
  JSON.parse(chats.find((one) => one.responseName === 'plan')?.messages[0]?.content ?? '{}');

describe('a task that continues a session', () => {
  it('learns which files of an earlier task the person has undone', async () => {
    await model();
    const first = await run(FIRST);
    const undone = await sandbox.run(['runs', 'undo', first.document.run_id, '--yes']);
    expect(undone.exitCode).toBe(0);
    const count = server?.chats.length ?? 0;
    await run(SECOND, '--continue');
    expect(planOf(chatsSince(count)).conversation.turns).toMatchObject([
      { task: FIRST, files: [], undone_by_person: ['months.csv'] },
    ]);
  });

  it('gets what the person said while an earlier task ran', async () => {
    const said = 'hands off: "April" is not ours';
    await model(async (request) => {
      const isFirst = isWork(request) && textOf(request).startsWith(`Your task:\n\n${FIRST}`);
      if (!isFirst || hasResult(request)) return undefined;
      const { document } = await sandbox.runJson(['runs', 'show', 'last']);
      await sandbox.run(['runs', 'message', document.run_id, said]);
      return undefined;
    });
    await run(FIRST);
    const count = server?.chats.length ?? 0;
    const { document } = await run(SECOND, '--continue');
    const chats = chatsSince(count);
    expect(planOf(chats).conversation.turns).toMatchObject([
      { task: FIRST, said_while_it_ran: [said] },
    ]);
    expect(textOf(chats.find(isWork) as ScriptedRequest)).toContain(
      `\n\n1. ${JSON.stringify(FIRST)} (said while it ran: ${JSON.stringify(said)})\n\n<data`,
    );
    expect((await sandbox.run(['sessions', 'show', 'last'])).stdout).toContain(
      `task       ${FIRST}\nyou said   ${said}\n`,
    );
    expect(await sandbox.run(['replay', document.run_id])).toMatchObject({ exitCode: 0 });
  });

  it('gets earlier tasks, answers and files as data, and replays identically without a model', async () => {
    await model();
    const first = await run(FIRST);
    expect(first.document.status).toBe('completed');
    const count = server?.chats.length ?? 0;
    const second = await run(SECOND, '--continue');
    expect(second.document).toMatchObject({
      status: 'completed',
      answer: 'March has 1 order.',
      session_id: first.document.session_id,
    });
    const chats = chatsSince(count);
    const conversation = {
      left_out: 0,
      turns: [
        {
          task: FIRST,
          status: 'completed',
          answer: 'March 1, April 1. See www.first.example.',
          files: ['months.csv'],
        },
      ],
    };
    expect(planOf(chats)).toMatchObject({ task: SECOND, conversation });
    const work = chats.find(isWork);
    const prompt = textOf(work as ScriptedRequest);
    expect(prompt).toMatch(/Earlier tasks of the person[^<]*\n\n1\. /);
    expect(prompt).toContain(`\n\n1. ${JSON.stringify(FIRST)}\n\n<data`);
    const turns = conversation.turns.map(({ task: _, ...turn }) => ({ turn: 1, ...turn }));
    const results = { left_out: 0, turns };
    expect(prompt).toContain(
      `<data origin="results of the earlier tasks">\n${JSON.stringify(results)}\n</data>`,
    );
    expect(second.document.subtasks).toMatchObject([
      { description: 'Count the orders of March in orders.csv' },
    ]);
    await server?.close();
    server = undefined;
    const replayed = await sandbox.run(['replay', second.document.run_id]);
    expect(replayed.stdout).toContain('replayed: identical');

    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
    const shown = await sandbox.run(['sessions', 'show', 'last']);
    expect(shown.stdout).toContain(SECOND);
    expect(shown.stdout).toContain('March has 1 order.');
    const listed = await sandbox.run(['sessions', 'list', '--all', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { session_id: first.document.session_id, task: FIRST, runs: 2, status: 'completed' },
    ]);
    const table = await sandbox.run(['sessions', 'list', '-w', '.']);
    expect(table.stdout).toMatch(
      new RegExp(`^${first.document.session_id.slice(-8)}\\t.*\\tcompleted\\t2\\t`, 'm'),
    );
  });

  it('may not fetch from a host that only an earlier answer names', async () => {
    await model((request) =>
      textOf(request).startsWith(`Your task:\n\n${SECOND}`) && !hasResult(request)
        ? call('web_fetch', { url: 'https://www.first.example/' })
        : undefined,
    );
    await run(FIRST);
    const { document } = await run(SECOND, '--continue', '--capsule', 'web-reader');
    expect(document).toMatchObject({ status: 'parked', reason: 'approval' });
    const asked = await sandbox.run([
      'approvals',
      'show',
      document.approvals[0]?.id ?? '',
      '--json',
    ]);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      target: 'https://www.first.example/',
      why: expect.stringContaining('neither the settings nor the task name the host'),
    });
  });

  it('gets the ended tasks while another task of the session is running', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    await model(async (request) => {
      if (!isWork(request) || !textOf(request).startsWith('Your task:\n\nTake long'))
        return undefined;
      isHeld();
      await released;
      return call('final', { status: 'ok', result: 'At last.' });
    });
    await run(FIRST);
    const slow = run('Take long', '--continue', '--capsule', 'file-clerk');
    await held;
    const count = server?.chats.length ?? 0;
    const { document } = await run(SECOND, '--continue');
    release();
    expect((await slow).document.session_id).toBe(document.session_id);
    const { turns } = planOf(chatsSince(count)).conversation;
    expect(turns).toMatchObject([{ task: FIRST, status: 'completed' }]);
  });

  it('is refused while the newest run of the session is parked', async () => {
    await model((request) =>
      isWork(request) ? call('ask_person', { question: 'Which year?' }) : undefined,
    );
    const parked = await run(FIRST);
    expect(parked.exitCode).toBe(3);
    const { run_id, session_id } = parked.document;
    const refusal = {
      exitCode: 2,
      document: {
        error: { code: 'SESSION_PARKED' },
        next: [
          { action: 'resume', id: run_id },
          { action: 'cancel', id: run_id },
        ],
      },
    };
    expect(await run(SECOND, '--continue')).toMatchObject(refusal);
    expect(await run(SECOND, '--session', session_id.slice(-8))).toMatchObject(refusal);
    await sandbox.run(['runs', 'cancel', run_id.slice(-8)]);
    await server?.close();
    await model();
    const count = server?.chats.length ?? 0;
    const continued = await run(SECOND, '--session', session_id.slice(-8));
    expect(continued.document.status).toBe('completed');
    expect(planOf(chatsSince(count)).conversation.turns).toMatchObject([
      { task: FIRST, status: 'cancelled' },
    ]);
  });

  it('is not a fork: that has the context of the run it was forked from', async () => {
    await model();
    const { document } = await run(FIRST);
    const list = await sandbox.run(['fork', document.run_id]);
    const at = list.stdout.match(/^ *(\d+).*file_io\.write/m)?.[1] ?? '';
    const copy = join(sandbox.home, 'copy');
    cpSync(sandbox.workspace, copy, { recursive: true });
    const count = server?.chats.length ?? 0;
    const forked = await sandbox.runJson(
      ['fork', document.run_id, '--at', at, '--workspace', copy],
      { CAPSTAN_BASE_URL: server?.baseUrl ?? '' },
    );
    expect(forked.document).toMatchObject({
      status: 'completed',
      session_id: document.session_id,
    });
    const chats = chatsSince(count);
    expect(chats).toHaveLength(1);
    expect(chats.map(textOf).join()).not.toContain('earlier tasks');
  });

  it('needs an earlier run in the folder', async () => {
    const ended = await sandbox.run(['run', '--continue', '--provider', 'offline', SECOND]);
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain('There is no earlier run in');
    const both = await sandbox.run(['run', '--continue', '--session', 'aaaaaaaa', SECOND]);
    expect(both).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not both') });
  });

  it('works without a model', async () => {
    const count = ['run', '--provider', 'offline', 'Count the lines of orders.csv'];
    const first = await sandbox.runJson(count);
    const second = await sandbox.runJson([...count, '--continue']);
    expect(second.document).toMatchObject({
      status: 'completed',
      session_id: first.document.session_id,
      answer: first.document.answer,
    });
    const replayed = await sandbox.run(['replay', second.document.run_id]);
    expect(replayed.stdout).toContain('replayed: identical');
  });

  it('without a model, says once what became of the task that a follow-up means', async () => {
    const say = (...words: string[]) =>
      sandbox.run(['run', '--provider', 'offline', '--approve-mode', 'allow', ...words]);
    await say('Delete missing.txt');
    const { stderr } = await say('--continue', 'And count its lines');
    const said = 'It continues "Delete missing.txt", which did not complete and is not done again.';
    expect(stderr.split(said)).toHaveLength(2);
    expect(stderr).not.toMatch(/changed files|CAPSTAN_PROVIDER/);
    await say('Rename orders.csv to all.csv');
    expect((await say('--continue', 'And count its lines')).stderr).toContain(
      'It continues "Rename orders.csv to all.csv", which changed files and is not done again. Name the file that is meant.',
    );
  });
});

describe('a long session', () => {
  const answer = `The figure is 4711. ${'It goes on like this. '.repeat(300)}`;
  const summaries = () =>
    (server?.chats ?? []).filter(({ responseName }) => responseName === 'summary');

  async function longSession(summary: ScriptedAnswer, answers: Answers = () => undefined) {
    await model(async (request) => {
      const other = await answers(request);
      if (other) return other;
      if (request.responseName === 'summary') return summary;
      return isWork(request) ? call('final', { status: 'ok', result: answer }) : undefined;
    });
    await run('Count the first orders');
    await run('Count the other orders', '--continue');
  }

  const continued = async () => {
    const count = server?.chats.length ?? 0;
    const { document } = await sandbox.runJson(
      ['run', '--continue', '--provider', 'ollama', '--model', server?.model ?? '', SECOND],
      { CAPSTAN_BASE_URL: server?.baseUrl ?? '', CAPSTAN_SESSION_TOKENS: '2500' },
    );
    return { document, plan: planOf(chatsSince(count)) };
  };

  it('summarises older turns with the model, also in a replay', async () => {
    await longSession({ json: { summary: 'The first orders came to 4711.' } });
    const { document, plan } = await continued();
    expect(document.status).toBe('completed');
    expect(plan.conversation).toMatchObject({
      left_out: 0,
      summary: 'The first orders came to 4711.',
      turns: [{ task: 'Count the other orders', answer }],
    });
    expect(summaries()).toHaveLength(1);
    const replayed = await sandbox.run(['replay', document.run_id]);
    expect(replayed.stdout).toContain('replayed: identical');
    expect(summaries()).toHaveLength(1);
  });

  it('keeps its context when the run is parked and resumed', async () => {
    const isContinued = (request: ScriptedRequest) =>
      textOf(request).startsWith('Your task:\n\nCount the orders of March');
    await longSession({ json: { summary: 'The first orders came to 4711.' } }, (request) =>
      isWork(request) && isContinued(request) && !hasResult(request)
        ? call('ask_person', { question: 'Which year?' })
        : undefined,
    );
    const { document } = await continued();
    expect(document.status).toBe('parked');
    await sandbox.run(['approvals', 'answer', document.approvals[0]?.id ?? '', '2026']);
    const count = server?.chats.length ?? 0;
    const environment = { CAPSTAN_BASE_URL: server?.baseUrl ?? '' };
    const resumed = await sandbox.runJson(['resume', document.run_id], environment);
    expect(resumed.document.status).toBe('completed');
    expect(summaries()).toHaveLength(1);
    const [work] = chatsSince(count);
    expect(textOf(work as ScriptedRequest)).toContain('"summary":"The first orders came to 4711."');
    expect(textOf(work as ScriptedRequest)).toContain('\n\n1. "Count the other orders"\n\n');
  });

  it('counts older turns if the model returns no summary', async () => {
    await longSession({ text: 'I would rather not.' });
    const { document, plan } = await continued();
    expect(document.status).toBe('completed');
    expect(plan.conversation.summary).toBeUndefined();
    expect(plan.conversation).toMatchObject({
      left_out: 1,
      turns: [{ task: 'Count the other orders', answer }],
    });
    const replayed = await sandbox.run(['replay', document.run_id]);
    expect(replayed.stdout).toContain('replayed: identical');
  });
});
