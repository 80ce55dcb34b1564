import { describe, expect, it } from 'vitest';
import {
  type Answer,
  call,
  done,
  final,
  lastOf,
  runLoop,
  type ToolScript,
} from '../../../../test/capsules/run-loop.ts';

const batch = (name: string): Answer => ({
  tool_calls: [
    { id: '1', name, args: {} },
    { id: '2', name: 'final', args: { status: 'ok', result: 'both' } },
  ],
});
const failing: ToolScript = ({ tool }) =>
  tool === 'fails'
    ? { ok: false, error: { code: 'TOOL_FAILED', message: 'no' } }
    : { ok: true, result: 1 };

describe('final together with other calls', () => {
  it('is accepted after they succeeded', async () => {
    const { response, chats, tools } = await runLoop([batch('read')]);
    expect(response.result).toBe('both');
    expect([chats.length, tools.length]).toEqual([1, 1]);
  });

  it('is refused with the results if one of them failed', async () => {
    const { response, chats } = await runLoop([batch('fails'), done], { tool: failing });
    expect(chats[1]?.messages.slice(-2)).toMatchObject([
      { role: 'tool', tool_call_id: '1', content: expect.stringContaining('TOOL_FAILED') },
      { role: 'tool', tool_call_id: '2', content: expect.stringContaining('Not accepted: fails') },
    ]);
    expect(response.result).toBe('done');
  });
});

describe('a final that is never accepted', () => {
  const wrong = final({ status: 'ok', result: 7 });

  it('fails the attempt after four in a row, with the reason', async () => {
    const { response, chats } = await runLoop([wrong, wrong, wrong, wrong, done]);
    expect(chats).toHaveLength(4);
    expect(response.result).toMatchObject({
      code: 'FINAL_REJECTED',
      message: expect.stringContaining('"result"'),
    });
  });

  it('may be tried again after other work', async () => {
    const answers = [wrong, wrong, wrong, call('1'), wrong, done];
    const { response } = await runLoop(answers, { config: { max_steps: 9 } });
    expect(response.result).toBe('done');
  });
});

/** The coordinator finds something missing these many times. */
const missing = (times: number): ToolScript => {
  let left = times;
  return ({ tool }) => {
    if (tool !== 'final') return { ok: true, result: 'content' };
    left -= 1;
    return { ok: true, result: { missing: left < 0 ? null : 'a.md was not written.' } };
  };
};
const claim = final({ status: 'ok', result: 'saved', artifacts: ['a.md'] });

describe('the files of a final', () => {
  it('are checked before it is accepted', async () => {
    const { response, tools } = await runLoop([claim], { tool: missing(0) });
    expect(tools).toMatchObject([{ tool: 'final', args: { artifacts: ['a.md'], unchanged: [] } }]);
    expect(response.status).toBe('ok');
  });

  it('are checked if the step must write some, even if it names none', async () => {
    const context = { writes: ['a.md'] };
    const { tools } = await runLoop([done], { tool: missing(0), context });
    expect(tools).toHaveLength(1);
  });

  it('need no check if there are none, or the status is error', async () => {
    const error = final({ status: 'error', result: 'no', artifacts: ['a.md'] });
    expect((await runLoop([done])).tools).toEqual([]);
    expect((await runLoop([error])).tools).toEqual([]);
  });

  it('are named to the model once if they are missing', async () => {
    const { response, chats } = await runLoop([claim, call('1'), claim], { tool: missing(1) });
    expect(lastOf(chats[1])).toContain('Not accepted: a.md was not written.');
    expect(response.status).toBe('ok');
  });

  it('fail the attempt if they are missing the second time', async () => {
    const { response } = await runLoop([claim, call('1'), claim], { tool: missing(2) });
    expect(response.result).toEqual({ code: 'OUTPUT_MISSING', message: 'a.md was not written.' });
  });

  it('may be named as unchanged', async () => {
    const args = { status: 'ok', result: 'It is there already.', unchanged: ['a.md', 'a.md'] };
    const { response, tools } = await runLoop([final(args)], { tool: missing(0) });
    expect(tools[0]?.args).toMatchObject({ unchanged: ['a.md', 'a.md'] });
    expect(response.unchanged).toEqual([{ path: 'a.md' }]);
  });

  it('are left to the coordinator if the check is not possible', async () => {
    const refuse: ToolScript = () => ({ ok: false, error: { code: 'TOOL_UNKNOWN', message: '' } });
    expect((await runLoop([claim], { tool: refuse })).response.status).toBe('ok');
  });
});

describe('a final of a step that is to change something', () => {
  const idle: ToolScript = () => ({
    ok: true,
    result: { missing: null, idle: 'nothing changed.' },
  });
  const context = { needs: ['delete' as const] };

  it('is sent back once if nothing was changed, and counts if it stands', async () => {
    const { response, chats } = await runLoop([done, done], { tool: idle, context });
    expect(lastOf(chats[1])).toContain('Not accepted: nothing changed.');
    expect(chats).toHaveLength(2);
    expect(response.status).toBe('ok');
  });

  it('counts at once if no step is left', async () => {
    const config = { max_steps: 1 };
    const { response } = await runLoop([done, done], { tool: idle, context, config });
    expect(response.status).toBe('ok');
  });
});
