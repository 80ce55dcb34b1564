import type { ChatRequest, ChatResponse } from '../../src/contract/wire/chat.ts';
import type { IntentReply, ToolCallResult } from '../../src/contract/wire/coordinator-messages.ts';
import type { AgentResponse, Intent, ToolCallIntent } from '../../src/contract/wire/protocol.ts';
import { runCapsuleInMemory } from './in-memory.ts';
import { aRequest, type RequestChanges } from './request.ts';

/** The answers of the scripted model; `messages` of the person come with them. */
export type Answer = Partial<ChatResponse> & { readonly messages?: readonly string[] };

export interface LoopRun {
  readonly response: AgentResponse;
  readonly chats: readonly ChatRequest[];
  readonly tools: readonly ToolCallIntent[];
  readonly progress: readonly string[];
}

export type ToolScript = (call: ToolCallIntent) => Omit<ToolCallResult, 'type'>;

const read: ToolScript = () => ({ ok: true, result: 'content' });

/**
 * Runs an agentic task in memory with a model that returns these answers, one per call, and tools that answer by
 * `tool`.
 */
export async function runLoop(
  answers: readonly Answer[],
  { tool = read, ...changes }: RequestChanges & { readonly tool?: ToolScript } = {},
): Promise<LoopRun> {
  const left = [...answers];
  const chats: ChatRequest[] = [];
  const tools: ToolCallIntent[] = [];
  const progress: string[] = [];
  const answerChat = (request: ChatRequest): IntentReply => {
    chats.push(request);
    const { messages, ...answer } = left.shift() ?? { finish: 'refusal', text: 'not scripted' };
    const finish = (answer.tool_calls ?? []).length > 0 ? 'tool_calls' : 'stop';
    const response = { text: '', tool_calls: [], finish, model: 'scripted', ...answer };
    const more = messages ? { messages: [...messages] } : {};
    return { type: 'api_call_decision', approved: true, note: '', response, ...more };
  };
  const onIntent = async (intent: Intent): Promise<IntentReply> => {
    if (intent.type === 'api_call_intent') {
      if (intent.request.kind !== 'chat') throw new Error('only chats are expected');
      return answerChat(intent.request);
    }
    tools.push(intent);
    return { type: 'tool_call_result', ...tool(intent) };
  };
  const response = await runCapsuleInMemory({
    clean: (value) => value,
    capsule: 'tester',
    dir: '/',
    entrypoint: ['node'],
    sdkPath: '',
    request: aRequest({
      ...changes,
      config: {
        mode: 'agentic',
        model: true,
        system_prompt: 'You are careful.',
        tool_registry: [
          {
            name: 'read',
            description: 'Reads.',
            parameters: {
              type: 'object',
              properties: { path: { type: 'string' }, from: { type: 'integer' } },
              required: ['path'],
            },
          },
        ],
        ...changes.config,
      },
    }),
    onIntent,
    onProgress: ({ text }) => progress.push(text),
    timeoutMs: 1_000,
    signal: new AbortController().signal,
  });
  return { response, chats, tools, progress };
}

/** An answer that calls one tool. */
export const call = (id: string, name = 'read', args: Record<string, unknown> = {}): Answer => ({
  tool_calls: [{ id, name, args }],
});

export const final = (args: Record<string, unknown>): Answer => call('f', 'final', args);

export const done = final({ status: 'ok', result: 'done' });

/** The last message of a request. */
export const lastOf = (chat: ChatRequest | undefined): string =>
  chat?.messages.at(-1)?.content ?? '';
