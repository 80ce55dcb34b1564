import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { createRecordPool } from '../../src/broker/recall/record-pool.ts';
import type { TextDelta } from '../../src/contract/event.ts';
import { createRunStore } from '../../src/coordinator/store/runs/run-store.ts';
import type { Db } from '../../src/db/open-database.ts';
import { type ChatResult, type Provider, ProviderError } from '../../src/llm/provider.ts';
import { createOfflineProvider } from '../../src/llm/providers/offline.ts';
import { createRedactor, noSecrets } from '../../src/policy/secrets/redact.ts';
import { openMoneyBroker } from '../money/money-broker.ts';
import { addRun } from '../setup/broker-parts.ts';
import { temporaryDatabase } from '../setup/temporary-database.ts';

const SECRET = 'sk-proj-aB3dE6gH9jK2mN5pQ8rS';

let db: Db;
beforeEach(() => {
  ({ db } = temporaryDatabase());
  addRun(db, 'run-1');
});

/** A free provider of loopback. */
function providerThat(chat: Provider['chat'], restored: unknown[] = []): Provider {
  return {
    ...createOfflineProvider(),
    name: 'openai',
    origin: 'http://127.0.0.1:1',
    isModel: true,
    chat,
    restore: (carried) => restored.push(carried),
  };
}

const answer = (changes: Partial<ChatResult> = {}): ChatResult => ({
  response: {
    text: 'Reading.',
    tool_calls: [{ id: 'c1', name: 'read', args: {} }],
    finish: 'tool_calls',
    model: 'm',
  },
  usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5 },
  ...changes,
});

it('records what a vendor wants back, keeps it from the capsule, and restores it on resume', async () => {
  const carried = { c1: { thoughts: 'private thoughts', signature: 's1' } };
  const first = openMoneyBroker(db, { provider: providerThat(async () => answer({ carried })) });
  const reply = await first.chat();
  expect(JSON.stringify(reply)).not.toMatch(/private|s1|carried/);

  const restored: unknown[] = [];
  const provider = providerThat(async () => expect.unreachable(), restored);
  const second = openMoneyBroker(db, { provider });
  const record = createRecordPool(first.rows());
  const again = await second.chat('clerk', undefined, record);
  expect(again).toEqual(reply);
  expect(restored).toEqual([carried]);

  const other = { ...provider, name: 'anthropic' };
  await openMoneyBroker(db, { provider: other }).chat(
    'clerk',
    undefined,
    createRecordPool(first.rows()),
  );
  expect(restored).toHaveLength(1);
});

it('records no reasoning that holds a known secret: changed, no vendor takes it back', async () => {
  const carried = { c1: { thoughts: `The key is ${SECRET}.` } };
  const provider = providerThat(async () => answer({ carried }));
  const { chat, rows } = openMoneyBroker(db, { provider, redactor: createRedactor([SECRET]) });
  await chat();
  expect(JSON.stringify(rows())).not.toMatch(/carried|The key is/);
});

it('starts the text again if the call is tried again', async () => {
  let tries = 0;
  const provider = providerThat(async (_request, _signal, onText) => {
    tries += 1;
    onText?.(tries === 1 ? 'half a sen' : 'A whole ');
    await sleep(10);
    if (tries === 1) {
      const facts = { problem: 'overloaded', retryable: true, status: 529 } as const;
      throw new ProviderError('openai', 'Overloaded.', facts);
    }
    onText?.('sentence.');
    return answer();
  });
  const { chat, parts } = openMoneyBroker(db, { provider });
  const deltas: TextDelta[] = [];
  parts.events.listenToDeltas((delta) => deltas.push(delta));
  await chat();
  expect(deltas.slice(0, 2).map(({ from }) => from)).toEqual([0, 0]);
  expect(deltas[0]?.text).toBe('half a sen');
  const followed = deltas.reduce((text, delta) => text.slice(0, delta.from) + delta.text, '');
  expect(followed).toBe('A whole sentence.');
});

it('marks the tokens and the cost of an answer that no vendor counted', async () => {
  const provider = providerThat(async () => answer({ isEstimated: true }));
  const { chat, heard, rows } = openMoneyBroker(db, { provider });
  await chat();
  rows();
  expect(heard.find(({ type }) => type === 'model.answered')).toMatchObject({
    input_tokens: 10,
    output_tokens: 5,
    estimated_tokens: 15,
  });
  expect(createRunStore(db, noSecrets).costOf('run-1')).toMatchObject({
    inputTokens: 10,
    outputTokens: 5,
    estimatedTokens: 15,
  });
});
