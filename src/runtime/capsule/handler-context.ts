import type { ChatRequest, ChatResponse, ModelHint } from '../../contract/wire/chat.ts';
import type {
  CoordinatorRequest,
  EarlierResult,
  MemoryItem,
} from '../../contract/wire/coordinator-messages.ts';
import { askModel, askTool, showProgress, ToolError } from './ask.ts';
import type { Port } from './port.ts';

/** The input and the functions of a handler. */
export interface HandlerContext {
  /** The whole first line. */
  readonly request: CoordinatorRequest;
  /** The text of the subtask. */
  readonly task: string;
  /** Fields of the task kind's input schema, if the caller gave them. */
  readonly input: Record<string, unknown>;
  /** The results that this subtask depends on. */
  readonly results: readonly EarlierResult[];
  readonly memory: readonly MemoryItem[];
  /**
   * Calls a tool; resolves to its result.
   *
   * @throws ToolError with `code` and `message` when it is denied or fails.
   */
  call(tool: string, args: Record<string, unknown>, reason: string): Promise<unknown>;
  /**
   * Asks a language model. The default hint is `balanced`.
   *
   * @throws ModelError with `code` and `message` when it is denied or fails.
   */
  chat(
    request: Omit<ChatRequest, 'kind' | 'hint'> & { hint?: ModelHint },
    reason: string,
  ): Promise<ChatResponse>;
  /** Shows a line to the person who watches; `fraction` from 0 to 1. */
  progress(text: string, fraction?: number): void;
  /** Stores a fact for later tasks. */
  remember(text: string): void;
  /** Names a file that this task wrote. */
  artifact(path: string): void;
}

/** A task kind in code. Its text is for a person, its `data` for later subtasks. */
export type Handler = (
  context: HandlerContext,
) => Promise<string | { text: string; data?: unknown }>;

/** The memories and artifacts of a handler. */
export interface Left {
  readonly remember: string[];
  readonly artifacts: string[];
  readonly metrics: { tool_calls: number; model_calls: number };
}

/** Connects a handler to the port. Collects its memories and artifacts in `left`. */
export function handlerContext(
  request: CoordinatorRequest,
  port: Port,
  left: Left,
): HandlerContext {
  const { task, context } = request;
  return {
    request,
    task,
    input: context.input ?? {},
    results: context.results,
    memory: context.memory,
    async call(tool, args, reason) {
      left.metrics.tool_calls += 1;
      const { ok, result, error } = await askTool(port, { tool, args, reason });
      if (ok) return result;
      throw new ToolError(error?.code ?? 'TOOL_FAILED', error?.message ?? `${tool} failed`);
    },
    chat(chat, reason) {
      left.metrics.model_calls += 1;
      return askModel(port, { ...chat, hint: chat.hint ?? 'balanced' }, reason);
    },
    progress: (text, fraction) => showProgress(port, text, fraction),
    remember: (text) => void left.remember.push(text),
    artifact: (path) => void left.artifacts.push(path),
  };
}
