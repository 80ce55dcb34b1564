import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import type { StartedRun } from '../../src/app/runs/start/started-run.ts';
import type { CapstanEvent } from '../../src/contract/event.ts';
import { editableSteps } from '../../src/contract/plan-preview.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script } from '../model-server/script.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
let server: ModelServer;
let capstan: Capstan;
let isPresent: boolean;
beforeEach(async () => {
  isPresent = true;
  person = temporaryPerson();
  server = await startModelServer({ vendor: 'ollama', script });
  capstan = await open();
});
afterEach(async () => {
  await capstan.close();
  await server.close();
  person.remove();
});

const open = () =>
  openCapstan({
    env: {
      ...person.environment,
      CAPSTAN_PROVIDER: server.vendor,
      CAPSTAN_BASE_URL: server.baseUrl,
      CAPSTAN_MODEL_BEST: server.model,
      CAPSTAN_MODEL_BALANCED: server.model,
      CAPSTAN_MODEL_FAST: server.model,
    },
    cwd: person.project,
    presence: () => isPresent,
  });

const step = (id: string, description: string, depends_on: readonly string[] = []) => ({
  id,
  description,
  depends_on,
  capsule: 'file-clerk',
});

const script: Script = ({ responseName, messages }) => {
  const asked = messages.find(({ role }) => role === 'user')?.content ?? '';
  if (responseName === 'plan') {
    const many = Array.from({ length: 40 }, (_, at) => step(`s${at}`, `Look ${at}`));
    if (asked.includes('forty times')) return { json: { execution: many } };
    const more = asked.includes('in French') ? [step('s3', 'Translate it', ['s2'])] : [];
    return { json: { execution: [step('s1', 'Look'), step('s2', 'Tell', ['s1']), ...more] } };
  }
  if (responseName === 'answer') return { json: { answer: 'All done.' } };
  return { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'done' } }] };
};

const start = (options: object = {}): Promise<StartedRun> =>
  capstan.runs.start({
    ...{ task: 'Look around and tell', planFirst: true, isIsolationWaived: true },
    ...options,
  });

async function question(runId: string, not?: string) {
  for (;;) {
    const found = (await capstan.approvals.list()).find(
      (one) => one.runId === runId && one.id !== not,
    );
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const answer = (id: string, answer: string, more: object = {}) =>
  capstan.approvals.answer(id, { answer, by: 'test', ...more });

const work = () => server.chats.filter(({ responseName }) => responseName === undefined).length;

it('waits with its plan, capsules and forecast before any step starts', async () => {
  const run = await start();
  const asked = await question(run.id);
  expect(asked).toMatchObject({
    kind: 'plan',
    isForced: true,
    choices: ['approve', 'deny'],
    plan: {
      phase: 'execution',
      steps: [
        { id: 's1', description: 'Look', capsule_id: 'file-clerk', depends_on: [] },
        { id: 's2', depends_on: ['s1'] },
      ],
      forecast: { cost_usd: null, duration_ms: null, runs: 0, cap_usd: 1 },
    },
  });
  expect(work()).toBe(0);
  await answer(asked.id, 'approve');
  expect(await run.finished).toMatchObject({ status: 'completed', answer: 'All done.' });
  expect(await capstan.runs.replay(run.id)).toMatchObject({ isIdentical: true });
});

it('starts as the person edited it, and a replay too', async () => {
  const run = await start();
  const asked = await question(run.id);
  const [first] = asked.plan ? editableSteps(asked.plan) : [];
  const wrong = { ...first, depends_on: ['s9'] };
  await expect(answer(asked.id, 'approve', { steps: [wrong] })).rejects.toThrow(
    '"s1" depends on "s9", which does not exist. Correct it',
  );
  await expect(
    answer(asked.id, 'approve', { steps: [{ ...first, capsule: 'nobody' }] }),
  ).rejects.toThrow('"s1" names the capsule "nobody"');
  await expect(answer(asked.id, 'approve', { steps: [{ ...first, color: 1 }] })).rejects.toThrow(
    'step "s1"',
  );
  await expect(answer(asked.id, 'approve', { remember: { scope: 'run' } })).rejects.toThrow(
    'asked each time',
  );
  await answer(asked.id, 'approve', { steps: [{ ...first, description: 'Only this' }] });
  const document = await run.finished;
  expect(document.subtasks).toMatchObject([{ description: 'Only this', status: 'completed' }]);
  expect(await capstan.runs.replay(run.id)).toMatchObject({ isIdentical: true });
});

it('that is denied ends as cancelled, and nothing starts', async () => {
  const run = await start();
  await answer((await question(run.id)).id, 'deny');
  const message = 'The plan was dropped, and none of its steps started: a person dropped it.';
  expect(await run.finished).toMatchObject({
    ...{ status: 'cancelled', reason: 'cancelled' },
    error: { code: 'PLAN_DROPPED', message },
  });
  expect(work()).toBe(0);
});

it("is made again with the person's message, and asked about again", async () => {
  const run = await start();
  const first = await question(run.id);
  await capstan.runs.message(run.id, 'Say it in French', { by: 'test' });
  const second = await question(run.id, first.id);
  expect(second.plan?.steps.map(({ description }) => description)).toContain('Translate it');
  expect((await capstan.approvals.get(first.id)).status).toBe('expired');
  await answer(second.id, 'approve');
  const document = await run.finished;
  expect(document).toMatchObject({ status: 'completed' });
  expect(document.subtasks).toHaveLength(3);
  expect(await capstan.runs.replay(run.id)).toMatchObject({ isIdentical: true });
  expect((await capstan.audit.verify()).problems).toEqual([]);
});

it('says why it is one step if the plan of the model was rejected', async () => {
  const run = await start({ task: 'Look forty times' });
  const { id, question: text, why } = await question(run.id);
  expect(text).toBe('Start this step?');
  expect(why).toMatch(
    /^No plan was made: .*40 steps, and \d+ are allowed.* The whole task is one step\. You asked to see the plan first\./,
  );
  await answer(id, 'deny');
  await run.finished;
});

it('is visible to every observer of the questions, and gone once it is answered', async () => {
  const observing = new AbortController();
  const seen: unknown[] = [];
  const observe = async () => {
    for await (const { approvals } of capstan.serving.changes(observing.signal))
      if (approvals) seen.push(await capstan.approvals.list());
  };
  const observer = observe();
  const run = await start();
  const asked = await question(run.id);
  await expect.poll(() => seen).toMatchObject([[{ runId: run.id, kind: 'plan' }]]);
  await answer(asked.id, 'deny');
  await expect.poll(() => seen.at(-1)).toEqual([]);
  await run.finished;
  observing.abort();
  await observer;
});

it('parks if nobody can answer, and continues after an answer from elsewhere', async () => {
  isPresent = false;
  const run = await start();
  expect(await run.finished).toMatchObject({ status: 'parked', reason: 'approval' });
  await capstan.close();
  capstan = await open();
  const asked = await question(run.id);
  await answer(asked.id, 'approve');
  const resumed = await capstan.runs.resume(run.id, { isIsolationWaived: true });
  expect(await resumed.finished).toMatchObject({ status: 'completed' });
  const plans = server.chats.filter(({ responseName }) => responseName === 'plan');
  expect(plans).toHaveLength(1);
  expect((await capstan.approvals.list({ all: true })).map(({ id }) => id)).toEqual([asked.id]);
});

it.each([
  ['allow', 'completed', null],
  ['deny', 'failed', 'denied'],
])('with approve mode %s is %s without a question', async (approveMode, status, reason) => {
  const run = await start({ settings: { approveMode } });
  expect(await run.finished).toMatchObject({ status, reason, approvals: [] });
});

it('a dry run states the plan and carries nothing out', async () => {
  const run = await start({ planFirst: false, dryRun: true });
  const document = await run.finished;
  expect(document).toMatchObject({
    status: 'completed',
    answer: expect.stringContaining('1. Look (file-clerk)'),
    subtasks: [],
    approvals: [],
    plan: [{ id: 's1', capsule_id: 'file-clerk' }, { id: 's2' }],
    forecast: { runs: 0, cost_usd: null, cap_usd: 1 },
  });
  expect(server.chats.map(({ responseName }) => responseName)).toEqual(['plan']);
});

it('forecasts from three runs like it', async () => {
  for (let count = 0; count < 3; count += 1) await (await start({ planFirst: false })).finished;
  const { forecast } = await (await start({ planFirst: false, dryRun: true })).finished;
  expect(forecast).toMatchObject({ runs: 3, cost_usd: { low: 0 } });
  expect(forecast?.duration_ms?.high).toBeGreaterThan(0);
});

const openings = (events: readonly CapstanEvent[]) =>
  events.flatMap((one) => (one.type === 'provider.opened' ? [one.limit_usd] : []));

it.each([
  ['no limit for a free model', '', null],
  [
    "the budget for a model with a person's own price",
    "openai: { '*': { input_usd: 2, output_usd: 2, date: 2026-11-01 } }",
    1,
  ],
])('states %s, also after a resume', async (_what, prices, limit) => {
  await capstan.close();
  await server.close();
  server = await startModelServer({ vendor: 'openai', script });
  person.writeOwn('prices.yaml', prices);
  capstan = await open();
  const events: CapstanEvent[] = [];
  const onEvent = (event: CapstanEvent) => void events.push(event);
  const run = await start({ onEvent, settings: { budgetUsd: '1' } });
  const asked = await question(run.id);
  expect(asked.plan?.forecast.is_free).toBe(limit === null ? true : undefined);
  expect(asked.details.includes('At most')).toBe(limit !== null);
  run.interrupt();
  await run.finished;
  const resumed = await capstan.runs.resume(run.id, { isIsolationWaived: true, onEvent });
  await expect.poll(() => openings(events)).toEqual([limit, limit]);
  expect((await capstan.reports.run(run.id)).run.is_free).toBe(limit === null);
  resumed.interrupt();
  await resumed.finished;
});
