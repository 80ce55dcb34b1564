import { showProgress } from '../ask.ts';
import type { Loop } from './loop.ts';

/** Tokens of a model whose context window is not known. */
const DEFAULT_CONTEXT_TOKENS = 64_000;
/** A conversation must also fit on a line of the protocol, in characters. */
const MAX_CHARS = 600_000;
/** Shares of the limit: results are shortened above the first, down to the second. */
const FULL = 0.85;
const SHORTENED = 0.5;
/** Assumed until the provider has reported token counts. */
const CHARS_PER_TOKEN = 3;

const HEAD_CHARS = 400;
const TAIL_CHARS = 200;

/**
 * Shortens the oldest tool results in one step when the conversation nears the model's context window; their beginning and
 * end are kept. Results that the model has not seen yet are shortened last. The system prompt and the task never change.
 */
export function foldHistory(loop: Loop): void {
  const { messages, port } = loop;
  const limit = maxChars(loop);
  let chars = charsOf(loop);
  if (chars <= limit * FULL) return;
  const unseen = messages.findLastIndex(({ role }) => role === 'assistant');
  let count = 0;
  for (const [at, message] of messages.entries()) {
    if (chars <= limit * (at < unseen ? SHORTENED : FULL)) continue;
    const folded = message.role === 'tool' ? fold(message.content) : message.content;
    if (folded.length >= message.content.length) continue;
    chars -= message.content.length - folded.length;
    message.content = folded;
    count += 1;
  }
  if (count > 0) showProgress(port, `shortened ${count} old tool results to save context`);
}

/** Characters of the conversation and the tools. */
export const charsOf = ({ messages, tools }: Pick<Loop, 'messages' | 'tools'>): number =>
  messages.reduce((sum, message) => sum + charsOfMessage(message), JSON.stringify(tools).length);

function charsOfMessage(message: Loop['messages'][number]): number {
  const calls = message.role === 'assistant' ? JSON.stringify(message.tool_calls ?? []).length : 0;
  return message.content.length + calls;
}

function maxChars({ request, tokensPerChar = 1 / CHARS_PER_TOKEN }: Loop): number {
  const { context_tokens = DEFAULT_CONTEXT_TOKENS } = request.config;
  return Math.min(MAX_CHARS, context_tokens / Math.min(1, Math.max(0.1, tokensPerChar)));
}

function fold(content: string): string {
  const left = content.length - HEAD_CHARS - TAIL_CHARS;
  const note = `[${left} characters were omitted to save context; repeat the call if you need them]`;
  return left <= note.length
    ? content
    : `${content.slice(0, HEAD_CHARS)}\n${note}\n${content.slice(-TAIL_CHARS)}`;
}
