import type { ChatMessage, ToolDescription } from '../../../contract/wire/chat.ts';
import type { CoordinatorRequest } from '../../../contract/wire/coordinator-messages.ts';
import type { Port } from '../port.ts';
import { skillTools } from '../read-skill.ts';
import { taskMessage } from '../task-message.ts';
import { finalTool } from './final-tool.ts';

/** A correction that the model gets once in an attempt; the second time, the attempt fails. */
export type Correction = 'text' | 'cut' | 'output' | 'idle';

/** The state of one attempt. */
export interface Loop {
  readonly request: CoordinatorRequest;
  readonly port: Port;
  /** The messages for the model. Only appended to, except when the history is shortened. */
  readonly messages: ChatMessage[];
  /** Offered tools, `final` among them. */
  readonly tools: readonly ToolDescription[];
  readonly metrics: { steps: number; tool_calls: number };
  readonly corrections: Set<Correction>;
  /** Answers in a row with nothing but a `final` that was not accepted. */
  rejected: number;
  /** How often each call was made, by name and arguments. */
  readonly repeated: Map<string, number>;
  /** Notices about the limit of requests that the model has got. */
  readonly noticed: Set<number>;
  /** Messages of the person that the model has not seen, with the number of the request whose reply contained them. */
  readonly inbox: { readonly number: number; readonly text: string }[];
  /** Requests sent so far. */
  asked: number;
  /** Of the last request, from the provider. Default: not known. */
  tokensPerChar?: number | undefined;
}

export function openLoop(request: CoordinatorRequest, port: Port): Loop {
  const granted = request.config.tool_registry.filter(({ name }) => name !== finalTool.name);
  const loop: Loop = {
    request,
    messages: firstMessages(request),
    tools: [...granted, ...skillTools(request.config), finalTool],
    metrics: { steps: 0, tool_calls: 0 },
    corrections: new Set(),
    rejected: 0,
    repeated: new Map(),
    noticed: new Set(),
    inbox: [],
    asked: 0,
    port: {
      emit: port.emit,
      async ask(intent) {
        loop.asked += 1;
        const number = loop.asked;
        const reply = await port.ask(intent);
        for (const text of reply.messages ?? []) loop.inbox.push({ number, text });
        return reply;
      },
    },
  };
  return loop;
}

/** The composed system prompt comes first in every call, word for word. */
export function firstMessages(request: CoordinatorRequest): ChatMessage[] {
  const { system_prompt } = request.config;
  const task: ChatMessage = { role: 'user', content: taskMessage(request) };
  return system_prompt === '' ? [task] : [{ role: 'system', content: system_prompt }, task];
}

/** Records a correction. False if the model got it before in this attempt. */
export function isFirst({ corrections }: Loop, correction: Correction): boolean {
  if (corrections.has(correction)) return false;
  corrections.add(correction);
  return true;
}

/** Requests that are left in this attempt; undefined if the limit is not known. */
export const requestsLeft = ({ request, asked }: Loop): number | undefined =>
  request.config.max_intents === undefined ? undefined : request.config.max_intents - asked;

export const stepsLeft = ({ request, metrics }: Loop): number =>
  request.config.max_steps - metrics.steps;

/** Messages of the person as user text, in the order of the requests. */
export function takeInbox({ inbox, messages }: Loop): void {
  const arrived = inbox.splice(0).sort((one, other) => one.number - other.number);
  for (const { text } of arrived) messages.push({ role: 'user', content: text });
}

const CHANGES: readonly string[] = ['write', 'delete', 'execute', 'database_write'];

/** Whether the plan says that the step changes something, or runs a program. */
export const mustChange = ({ request: { context } }: Loop): boolean =>
  (context.writes ?? []).length > 0 || (context.needs ?? []).some((need) => CHANGES.includes(need));
