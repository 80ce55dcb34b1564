import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCapsuleInMemory } from '../../test/capsules/in-memory.ts';
import { aRequest } from '../../test/capsules/request.ts';
import { AppError } from '../contract/errors.ts';
import type { IntentReply } from '../contract/wire/coordinator-messages.ts';
import type { AgentResponse } from '../contract/wire/protocol.ts';
import { Conversation } from './conversation.ts';
import { parseCapsuleLine } from './parse-message.ts';

function talk() {
  const seen = {
    failures: [] as Error[],
    finals: [] as AgentResponse[],
    sent: [] as IntentReply[],
    noise: 0,
  };
  const conversation = new Conversation({
    clean: (value) => value,
    capsule: 'tester',
    onIntent: async () => ({ type: 'tool_call_result', ok: true }),
    onNoise: () => {
      seen.noise += 1;
    },
    send: (reply) => seen.sent.push(reply),
    onFull: () => {},
    onTurn: () => {},
    onFinal: (response) => seen.finals.push(response),
    onFailure: (failure) => seen.failures.push(failure({})),
  });
  return { conversation, seen };
}

/** A valid line, or one with a mutation. */
const anyLine = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((json) => Buffer.from(json)),
  fc
    .record({
      type: fc.oneof(
        fc.constantFrom(
          'tool_call_intent',
          'api_call_intent',
          'progress',
          'agent_response',
          '__proto__',
        ),
        fc.anything(),
      ),
      id: fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constant(undefined), fc.anything()),
      tool: fc.oneof(fc.string(), fc.anything()),
      args: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.anything()),
      status: fc.constantFrom('ok', 'error', 'fine'),
      result: fc.jsonValue(),
      text: fc.oneof(fc.string(), fc.jsonValue()),
      request: fc.jsonValue(),
    })
    .map((message) => Buffer.from(stringify(message))),
);

const stringify = (value: unknown): string =>
  JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item)) ?? 'null';

describe('a conversation', () => {
  it('ends with one typed result at most, for any lines', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30 }), (lines) => {
        const { conversation, seen } = talk();
        for (const line of lines) conversation.receive(line);
        expect(seen.failures.length + seen.finals.length).toBeLessThanOrEqual(1);
        for (const error of seen.failures) expect(error).toBeInstanceOf(AppError);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('does not perform the requests of a process that has ended, and accepts its final', () => {
    const { conversation, seen } = talk();
    conversation.dropIntents();
    conversation.receive(Buffer.from('{"type":"tool_call_intent","id":"a","tool":"x","args":{}}'));
    conversation.receive(Buffer.from('{"type":"agent_response","status":"ok","result":1}'));
    expect(seen.sent).toEqual([]);
    expect(seen.finals).toHaveLength(1);
  });
});

it.each([
  ['{"type":"agent_response","status":"ok"}', 'field "result" of "agent_response" is missing'],
  ['{"type":"tool_call_intent","tool":7,"args":{}}', 'field "tool" of "tool_call_intent" is wrong'],
  ['{"type":"tool_call_intent"}', 'field "tool" of "tool_call_intent" is missing (and 1 more)'],
  ['{"type":"api_call_intent","request":{"kind":"magic"}}', 'field "request.kind"'],
  ['{"type":"constructor"}', 'the unknown type "constructor"'],
  ['[]', 'not an object: []'],
  ['null', 'not an object: null'],
])('names the problem with %s', (line, problem) => {
  expect(parseCapsuleLine(line, (value) => value)).toMatchObject({
    kind: 'nonsense',
    problem: expect.stringContaining(problem),
  });
});

it('a capsule in memory can be cancelled', async () => {
  const controller = new AbortController();
  const response = runCapsuleInMemory(
    {
      clean: (value) => value,
      capsule: 'tester',
      dir: '/',
      entrypoint: ['node'],
      sdkPath: '',
      request: aRequest({ config: { task_kind: 'wait' } }),
      onIntent: () => new Promise(() => {}),
      timeoutMs: 1_000,
      signal: controller.signal,
    },
    () => ({ wait: ({ call }) => call('read', {}, 'to wait').then(String) }),
  );
  controller.abort();
  await expect(response).rejects.toMatchObject({ code: 'CANCELLED' });
});
