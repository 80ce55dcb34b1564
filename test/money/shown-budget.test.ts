import { expect, it } from 'vitest';
import { startModelServer } from '../model-server/model-server.ts';
import { modelEnvironment, startApiServer } from '../programs/api-server.ts';

it('a budget that a person raised is the budget of the run, on its page and when it is resumed', async () => {
  const model = await startModelServer({
    vendor: 'openai',
    script: ({ index }) =>
      index === 0
        ? { broken: 'silent' }
        : { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'hello' } }] },
  });
  const api = await startApiServer({
    ...modelEnvironment(model),
    ...{ CAPSTAN_PROVIDER: 'openai', OPENAI_API_KEY: 'key-of-the-test' },
    CAPSTAN_BUDGET_RUN_USD: '0.02',
  });
  const price = '{input_usd: 1, output_usd: 10, date: 2026-09-23}';
  api.person.writeOwn('prices.yaml', `openai: {${model.model}: ${price}}\n`);
  try {
    const started = { task: 'Say hello', capsule: 'file-clerk' };
    const { run_id: id } = (await api.request('POST', '/runs', started)).body;
    const asked = async () => (await api.request('GET', '/approvals')).body.approvals[0];
    await expect.poll(asked, { timeout: 20_000 }).toMatchObject({ kind: 'raise' });
    const { id: question, binding, cost_usd: raise } = await asked();
    await api.request('POST', `/approvals/${question}/answer`, { answer: 'approve', binding });
    await expect.poll(() => model.chats.length, { timeout: 20_000 }).toBe(1);
    const raised = expect.closeTo(0.02 + raise, 6);
    expect((await api.request('GET', `/runs/${id}`)).body.run.budget_usd).toEqual(raised);
    await api.request('POST', `/runs/${id}/stop`, {});
    const limits: (number | null)[] = [];
    const resumed = await api.capstan.runs.resume(id, {
      onEvent: (event) => event.type === 'provider.opened' && limits.push(event.limit_usd),
    });
    await expect.poll(() => limits, { timeout: 20_000 }).toEqual([raised]);
    resumed.interrupt({ now: true });
    await resumed.finished;
  } finally {
    await api.close();
    await model.close();
  }
});
