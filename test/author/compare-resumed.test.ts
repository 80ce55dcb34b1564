import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { type ApiServer, modelEnvironment, startApiServer } from '../programs/api-server.ts';

let model: ModelServer;
let api: ApiServer;
beforeAll(async () => {
  model = await startModelServer({
    vendor: 'ollama',
    script: ({ index }) =>
      index === 0
        ? { broken: 'silent' }
        : { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'hello' } }] },
  });
  api = await startApiServer(modelEnvironment(model));
});
afterAll(async () => {
  await api.close();
  await model.close();
});

it('a task whose model call was interrupted and repeated is compared by the answer of the repetition', async () => {
  const { body } = await api.request('POST', '/runs', { task: 'Say hello', capsule: 'file-clerk' });
  const id: string = body.run_id;
  const statusOf = async () => (await api.request('GET', `/runs/${id}`)).body.run.status;
  await expect.poll(() => model.chats.length, { timeout: 20_000 }).toBe(1);
  await api.request('POST', `/runs/${id}/stop`, {});
  expect((await api.request('POST', `/runs/${id}/resume`, {})).status).toBe(202);
  await expect.poll(statusOf, { timeout: 20_000 }).toBe('completed');
  expect(await api.capstan.runs.replay(id)).toMatchObject({ isIdentical: true });
  const compared = await api.request('POST', '/capsules/file-clerk/compare', {
    overlay: 'Be brief.',
  });
  expect(compared.body.tasks).toMatchObject([
    { run_id: id, saved: { status: 'completed' }, draft: { status: 'completed' }, answer: [] },
  ]);
});
