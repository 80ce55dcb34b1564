import { expect, it } from 'vitest';
import { call, done, final, lastOf, runLoop } from '../../../../test/capsules/run-loop.ts';

const write = (id: string, content = 'hi') =>
  call(id, 'file_io', { operation: 'write', path: 'a.md', content });
const read = (id: string) => call(id, 'file_io', { operation: 'read', path: 'a.md' });
const writes = { writes: ['a.md'], needs: ['write' as const] };

it('is not performed again, also after reading, and the model is told so', async () => {
  const { response, tools, chats } = await runLoop([write('1'), read('2'), write('3'), done]);
  expect(tools.map(({ args }) => args['operation'])).toEqual(['write', 'read']);
  expect(lastOf(chats[3])).toContain('Not performed again');
  expect(response.result).toBe('done');
});

it('ends the attempt the second time: the files that the step must write are its result', async () => {
  const answers = [write('1'), write('2'), { ...write('3'), text: 'It says hi.' }];
  const { response, tools } = await runLoop(answers, { context: writes });
  expect(tools).toHaveLength(1);
  expect(response).toMatchObject({ status: 'ok', result: 'It says hi.' });
});

it('fails the attempt the second time, if the step names no files', async () => {
  const { response } = await runLoop([write('1'), write('2'), write('3')]);
  expect(response).toMatchObject({ status: 'error', result: { code: 'FINAL_MISSING' } });
});

it('is performed if it failed, has other content, or something was done in between', async () => {
  let calls = 0;
  const tool = () => {
    calls += 1;
    const error = { code: 'INTENT_DENIED', message: 'denied' };
    return calls === 1 ? { ok: false as const, error } : { ok: true as const, result: 'done' };
  };
  const answers = [write('1'), write('2'), write('3', 'ho'), call('4'), write('5', 'ho')];
  const { tools } = await runLoop([...answers, final({ status: 'ok', result: 'x' })], { tool });
  expect(tools).toHaveLength(5);
});
