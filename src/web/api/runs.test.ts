import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../test/model-server/model-server.ts';
import type { Script } from '../../../test/model-server/script.ts';
import {
  type ApiServer,
  modelEnvironment,
  startApiServer,
} from '../../../test/programs/api-server.ts';

let model: ModelServer;
let api: ApiServer;
beforeEach(async () => {
  model = await startModelServer({ vendor: 'ollama', script });
  api = await startApiServer(modelEnvironment(model));
});
afterEach(async () => {
  await api.close();
  await model.close();
});

const step = (id: string, depends_on: readonly string[]) => ({
  ...{ id, description: `Do ${id}`, depends_on, capsule: 'file-clerk' },
});

const script: Script = ({ responseName }) => {
  if (responseName === 'plan') return { json: { execution: [step('s1', []), step('s2', ['s1'])] } };
  if (responseName === 'answer') return { json: { answer: 'All done.' } };
  return { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'done' } }] };
};

/** What the API answers as soon as it is as wanted. */
async function until(path: string, isWanted: (body: Body) => boolean): Promise<Body> {
  const end = Date.now() + 20_000;
  for (;;) {
    const { body } = await api.request('GET', path);
    if (isWanted(body)) return body;
    if (Date.now() > end) throw new Error(`not in time: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Body = Awaited<ReturnType<ApiServer['request']>>['body'];

async function plannedRun() {
  const wanted = { task: 'Look around and tell', plan_first: true, hint: 'fast' };
  const { status, body } = await api.request('POST', '/runs', wanted);
  expect(status).toBe(202);
  const found = await until('/approvals', ({ approvals }) => approvals.length === 1);
  return { id: body.run_id, question: found.approvals[0] };
}

it('a run with plan_first shows its plan and starts with the steps that were sent', async () => {
  const { id, question } = await plannedRun();
  expect(question).toMatchObject({ kind: 'plan', run_id: id, always: null });
  expect(question.plan.steps).toMatchObject([
    { id: 's1', capsule_id: 'file-clerk', hint: 'fast' },
    { id: 's2', depends_on: ['s1'] },
  ]);
  const { binding, editable_steps: steps } = question;
  const at = `/approvals/${question.id}/answer`;
  const wrong = { ...steps[0], depends_on: ['s9'] };
  const refused = await api.request('POST', at, { answer: 'approve', binding, steps: [wrong] });
  expect([refused.status, refused.body.code]).toEqual([400, 'PLAN_INVALID']);
  expect(refused.body.detail).toContain('"s1" depends on "s9"');
  const sent = { answer: 'approve', binding, steps: [{ ...steps[0], description: 'Only this' }] };
  expect((await api.request('POST', at, sent)).status).toBe(200);
  const page = await until(`/runs/${id}`, ({ run }) => run.status === 'completed');
  expect(page.steps.map((one: Body) => one.description)).toEqual(['Only this']);
});

it('a plan that is denied ends its run, with none of its steps done', async () => {
  const { id, question } = await plannedRun();
  const { binding } = question;
  await api.request('POST', `/approvals/${question.id}/answer`, { answer: 'deny', binding });
  const { run, steps } = await until(`/runs/${id}`, (page) => page.run.status === 'cancelled');
  expect(steps.every((one: Body) => one.status !== 'completed')).toBe(true);
  expect(run).toMatchObject({ steps_done: 0, steps: 2 });
});

const startElsewhere = () => api.capstan.runs.start({ task: 'Look around', planFirst: true });

it.each([
  ['the server hosts', async () => (await plannedRun()).id],
  ['another program has', async () => (await startElsewhere()).id],
])('stop parks a run that %s, and nothing but resume continues it', async (_, start) => {
  const id = await start();
  const { approvals } = await until('/approvals', (body) => body.approvals.length === 1);
  const stopped = await api.request('POST', `/runs/${id}/stop`, {});
  expect([stopped.status, stopped.body]).toEqual([200, { run_id: id, status: 'parked' }]);
  const { id: question, binding } = approvals[0];
  const answered = { answer: 'approve', binding };
  expect((await api.request('POST', `/approvals/${question}/answer`, answered)).status).toBe(200);
  const said = { text: 'Be quick.' };
  expect((await api.request('POST', `/runs/${id}/messages`, said)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await api.request('GET', `/runs/${id}`)).body.run.status).toBe('parked');
  expect((await api.request('POST', `/runs/${id}/resume`, {})).status).toBe(202);
  await until(`/runs/${id}`, ({ run }) => run.status !== 'parked');
});

it('the overview shows what a run would use before there is one', async () => {
  const { body } = await api.request('GET', '/overview');
  expect(body).toMatchObject({ provider: 'ollama', models: { balanced: model.model } });
  expect(body.isolation.level).toMatch(/^(?:A|B|C|none)$/);
  expect(body.isolation.reason).not.toBe('');
});
