import { describe, expect, it } from 'vitest';
import {
  type Answer,
  call,
  done,
  final,
  lastOf,
  runLoop,
} from '../../../../test/capsules/run-loop.ts';

const preambles = [
  "I'll start by looking at the data.",
  'Let me compute the figures now and write them to the file.',
  'Great, I will run the query and save the result.',
  'Sure! First I would look at the file, then compute the figures and save them.',
  'Okay. Now reading the file',
  'Here is what I am going to do:',
];

describe('text without a tool call', () => {
  it('is sent back once, with the available tools', async () => {
    const { response, chats } = await runLoop([{ text: 'It has three lines.' }, done]);
    expect(chats[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: 'It has three lines.' },
      { role: 'user' },
    ]);
    expect(lastOf(chats[1])).toContain('Your tools: read, final.');
    expect(response.result).toBe('done');
  });

  it('is the result the second time, if the step changes nothing', async () => {
    const text = 'The file has three lines.';
    const { response } = await runLoop([{ text: preambles[0] as string }, call('1'), { text }]);
    expect(response).toMatchObject({ status: 'ok', result: text });
  });

  it.each([
    ['must write a file', { writes: ['a.md'] }],
    ['must be able to write', { needs: ['write' as const] }],
    ['must be able to delete', { needs: ['delete' as const] }],
    ['must execute a program', { needs: ['execute' as const] }],
    ['must change a database', { needs: ['database_write' as const] }],
  ])('fails the second time, if the step %s', async (_what, context) => {
    const text = 'All figures are saved.';
    const { response } = await runLoop([{ text }, call('1'), { text }], { context });
    expect(response.result).toMatchObject({
      code: 'FINAL_MISSING',
      message: expect.stringContaining(text),
    });
  });

  it.each(preambles)('is never the result if it only announces work: %s', async (text) => {
    const { response } = await runLoop([{ text }, { text }]);
    expect(response.result).toMatchObject({ code: 'FINAL_MISSING' });
  });

  it.each([
    "I'm sorry, but I can't help with that.",
    'I cannot assist with this request.',
    'I’m unable to help with this task.',
    'Unfortunately, I won’t be able to comply with that.',
    'I must decline this request.',
  ])('fails as a refusal with the words of the model: %s', async (text) => {
    const { response, chats } = await runLoop([{ text }, { text }]);
    expect(chats).toHaveLength(2);
    expect(response.result).toEqual({ code: 'MODEL_REFUSED', message: text });
  });

  it.each([
    'There is no file notes.txt.',
    'I could not find a row with that name; 12 rows were searched.',
    'Unfortunately, no order of March is paid.',
  ])('is not a refusal if it reports findings: %s', async (text) => {
    const { response } = await runLoop([{ text }, { text }]);
    expect(response).toMatchObject({ status: 'ok', result: text });
  });

  it.each<[string, Answer, string]>([
    ['a refusal of the provider', { text: 'No.', finish: 'refusal' }, 'MODEL_REFUSED'],
    ['an empty answer', { text: ' ' }, 'ANSWER_EMPTY'],
  ])('%s is sent back once, too', async (_what, answer, code) => {
    expect((await runLoop([answer, done])).response.status).toBe('ok');
    expect((await runLoop([answer, answer])).response.result).toMatchObject({ code });
  });
});

it('an error names what is missing', async () => {
  const args = { status: 'error', result: 'I can not delete.', needs: ['delete'] };
  const { response } = await runLoop([final(args)]);
  expect(response.result).toMatchObject({ needs: ['delete'] });
});
