import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../test/model-server/model-server.ts';
import type { Script } from '../../../test/model-server/script.ts';
import {
  type ApiServer,
  modelEnvironment,
  startApiServer,
} from '../../../test/programs/api-server.ts';

const script: Script = () => ({
  tool_calls: [{ name: 'final', args: { status: 'ok', result: 'hello' } }],
});

let model: ModelServer;
let api: ApiServer;
beforeAll(async () => {
  model = await startModelServer({ vendor: 'ollama', script });
  api = await startApiServer(modelEnvironment(model));
});
afterAll(async () => {
  await api.close();
  await model.close();
});

const compare = (overlay: string) =>
  api.request('POST', '/capsules/file-clerk/compare', { overlay });

it('a capsule that has done nothing has no task to compare a draft on', async () => {
  expect((await compare('Be brief.')).body.tasks).toEqual([]);
});

it('a draft is compared with what is saved on the last tasks, from recorded answers', async () => {
  const { body } = await api.request('POST', '/runs', { task: 'Say hello', capsule: 'file-clerk' });
  await expect
    .poll(async () => (await api.request('GET', `/runs/${body.run_id}`)).body.run.status, {
      timeout: 20_000,
    })
    .toBe('completed');
  const asked = model.chats.length;
  const answer = await compare('Be brief, and answer in one sentence.');
  expect(answer.body.tasks).toEqual([
    {
      ...{ run_id: body.run_id, subtask_id: expect.any(String), task: 'Say hello' },
      saved: { status: 'completed', problem: null, model_calls: 1, reworded: 0 },
      draft: { status: 'completed', problem: null, model_calls: 1, reworded: 1 },
      ...{ steps: [], answer: [] },
    },
  ]);
  expect(model.chats).toHaveLength(asked);
  const broken = await compare('{{#if can.write}}\nWrite.\n');
  expect([broken.status, broken.body.code]).toEqual([400, 'TEMPLATE_INVALID']);
});
