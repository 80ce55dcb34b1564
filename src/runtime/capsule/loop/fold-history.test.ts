import { describe, expect, it } from 'vitest';
import { call, done, runLoop, type ToolScript } from '../../../../test/capsules/run-loop.ts';
import type { ChatRequest } from '../../../contract/wire/chat.ts';

const sized =
  (chars: number): ToolScript =>
  ({ args }) => ({ ok: true, result: `begin ${args['path']} ${'x'.repeat(chars)} end` });

const steps = (count: number) =>
  Array.from({ length: count }, (_, i) => call(`c${i}`, 'read', { path: `f${i}` }));

/** Without the bracket that ends the list. */
const bytesOf = ({ messages }: ChatRequest) => JSON.stringify(messages).slice(0, -1);

const beginsWithTheOneBefore = (chats: readonly ChatRequest[]): boolean[] =>
  chats.slice(1).map((chat, i) => bytesOf(chat).startsWith(bytesOf(chats[i] as ChatRequest)));

const hasFolded = (chat: ChatRequest | undefined) =>
  chat?.messages.some(({ content }) => content.includes('were omitted to save context'));

describe('the history of an attempt', () => {
  it('is only appended to, byte by byte, after corrections and additions', async () => {
    const { chats } = await runLoop(
      [
        { text: 'I will look.' },
        ...steps(3),
        { ...call('x', 'nonsense'), messages: ['hurry'] },
        call('f', 'final', { status: 'fine' }),
        { text: 'half', finish: 'length' },
        done,
      ],
      { tool: sized(100), config: { max_steps: 8, max_intents: 20 } },
    );
    expect(chats).toHaveLength(8);
    expect(new Set(beginsWithTheOneBefore(chats))).toEqual(new Set([true]));
  });

  it('folds the oldest results in one step near the context window, and reports it', async () => {
    const config = { context_tokens: 4_000, max_steps: 20 };
    const { chats, progress } = await runLoop([...steps(8), done], { tool: sized(2_000), config });
    const folds = beginsWithTheOneBefore(chats).filter((isAppended) => !isAppended);
    expect(folds.length).toBeGreaterThan(0);
    expect(folds.length).toBeLessThan(4);
    expect(progress.filter((text) => text.startsWith('shortened'))).toHaveLength(folds.length);
    const last = chats.at(-1)?.messages ?? [];
    expect(last[2 + 1]?.content).toMatch(/^<data origin="result of tool read">\nbegin f0 x+\n\[/);
    expect(last[2 + 1]?.content).toMatch(/x end\n<\/data>$/);
    expect(last.at(-1)?.content).toContain(`begin f7 ${'x'.repeat(2_000)} end`);
    for (const chat of chats) expect(JSON.stringify(chat.messages).length).toBeLessThan(12_000);
  });

  it('never folds the system prompt and the task', async () => {
    const task = `Count. ${'y'.repeat(20_000)}`;
    const config = { context_tokens: 4_000, system_prompt: 'z'.repeat(5_000) };
    const { chats } = await runLoop([...steps(1), done], { task, config, tool: sized(3_000) });
    expect(chats[1]?.messages.slice(0, 2)).toEqual(chats[0]?.messages);
    expect(hasFolded(chats[1])).toBe(true);
  });

  it('fits on a line of the protocol, however large the context window is', async () => {
    const config = { context_tokens: 2_000_000, max_steps: 20 };
    const { chats } = await runLoop([...steps(14), done], { tool: sized(50_000), config });
    expect(hasFolded(chats.at(-1))).toBe(true);
    for (const chat of chats) expect(JSON.stringify(chat).length).toBeLessThan(700_000);
  });
});
