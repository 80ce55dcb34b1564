import { describe, expect, it } from 'vitest';
import { takeTurn } from './workspace-turns.ts';

const callIn = (workspace: string, signal = new AbortController().signal) => ({
  workspace,
  signal,
});

/** Whether a turn begins without the end of another one. */
const beginsAtOnce = (turn: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    turn.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(resolve, false)),
  ]);

describe('the turns of a workspace', () => {
  it('go to any number of readers, or to one writer, the longest waiting first', async () => {
    const call = callIn('/turns/in-order');
    const [endOne, endTwo] = await Promise.all([takeTurn('read', call), takeTurn('read', call)]);
    const writer = takeTurn('write', call);
    const late = takeTurn('read', call);
    endOne();
    expect(await beginsAtOnce(writer)).toBe(false);
    endTwo();
    const endWriter = await writer;
    expect(await beginsAtOnce(late)).toBe(false);
    endWriter();
    (await late)();
  });

  it.each([
    ['bound', 'bound', true],
    ['change', 'change', true],
    ['bound', 'change', false],
    ['change', 'bound', false],
    ['bound', 'bound-change', false],
    ['bound-change', 'change', false],
    ['write', 'bound', true],
    ['write', 'change', true],
  ] as const)('of %s and %s can be at the same time: %s', async (kind, other, isTogether) => {
    const call = callIn(`/turns/${kind}-${other}`);
    const end = await takeTurn(kind, call);
    const second = takeTurn(other, call);
    expect(await beginsAtOnce(second)).toBe(isTogether);
    end();
    (await second)();
  });

  it.each(['read', 'write'] as const)(
    'are released by a call that is cancelled at the moment when its turn to %s begins',
    async (access) => {
      const workspace = `/turns/cancelled-${access}`;
      const cancelled = new AbortController();
      const turn = takeTurn(access, callIn(workspace, cancelled.signal));
      cancelled.abort();
      await turn;
      expect(await beginsAtOnce(takeTurn('write', callIn(workspace)))).toBe(true);
    },
  );

  it('pass over a call that was cancelled while it waited', async () => {
    const workspace = '/turns/waiting';
    const end = await takeTurn('write', callIn(workspace));
    const cancelled = new AbortController();
    const waiting = takeTurn('write', callIn(workspace, cancelled.signal));
    const next = takeTurn('write', callIn(workspace));
    cancelled.abort();
    await waiting;
    expect(await beginsAtOnce(next)).toBe(false);
    end();
    (await next)();
  });
});
