import { afterEach, beforeEach, expect, it } from 'vitest';
import { costLine } from '../../src/app/money/cost-rows.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { type ApiServer, modelEnvironment, startApiServer } from '../programs/api-server.ts';

let model: ModelServer;
let api: ApiServer;
beforeEach(async () => {
  model = await startModelServer({
    vendor: 'openai',
    script: ({ responseName }) =>
      responseName === 'plan'
        ? {
            json: { execution: [{ id: 's1', description: 'Report', capsule: 'file-clerk' }] },
            usage: { input_tokens: 1_000, output_tokens: 100 },
          }
        : { broken: 'silent' },
  });
  api = await startApiServer({
    ...modelEnvironment(model),
    CAPSTAN_PROVIDER: 'openai',
    OPENAI_API_KEY: 'key-of-the-test',
    CAPSTAN_BUDGET_RUN_USD: '1',
  });
  const price = '{input_usd: 1, output_usd: 10, date: 2026-09-23}';
  api.person.writeOwn('prices.yaml', `openai: {${model.model}: ${price}}\n`);
});
afterEach(async () => {
  await api.close();
  await model.close();
});

async function stoppedRun(): Promise<string> {
  const { body } = await api.request('POST', '/runs', { task: 'Look around and tell' });
  await expect.poll(() => model.chats.length, { timeout: 20_000 }).toBe(2);
  await api.request('POST', `/runs/${body.run_id}/stop`, {});
  return body.run_id;
}

it('a stopped model call shows the tokens of no vendor, and its highest possible cost as an estimate, everywhere', async () => {
  const id = await stoppedRun();
  const { run, requests } = (await api.request('GET', `/runs/${id}`)).body;
  const [planned, stopped] = requests;
  expect(planned).toMatchObject({
    ...{ output_tokens: 100, cost_usd: 0.002, estimated_cost_usd: 0, cost_note: null },
  });
  expect(stopped).toMatchObject({
    ...{ status: 'failed', input_tokens: 0, output_tokens: 0 },
    estimated_cost_usd: stopped.cost_usd,
    cost_note: 'interrupted: the most it could have cost is counted',
  });
  expect(stopped.cost_usd).toBeGreaterThan(0);
  const total = expect.closeTo(0.002 + stopped.cost_usd, 6);
  const shown = { cost_usd: total, estimated_cost_usd: stopped.cost_usd };
  const figures = { input_tokens: 1_000, output_tokens: 100, ...shown };
  expect(run).toMatchObject(shown);
  expect((await api.request('GET', '/costs?by=run')).body).toMatchObject({
    rows: [{ name: id, ...figures }],
    total: figures,
  });
  expect(costLine((await api.capstan.costs.report({ run: id })).total)).toMatchObject(figures);
});
