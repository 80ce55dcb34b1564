import type {
  ChatMessage,
  ToolCallRequest,
  ToolDescription,
  Usage,
} from '../../src/contract/wire/chat.ts';

export type Vendor = 'openai' | 'anthropic' | 'gemini' | 'ollama';
export const vendors: readonly Vendor[] = ['openai', 'anthropic', 'gemini', 'ollama'];

/** A chat request in the format of every vendor's wire. */
export interface ScriptedRequest {
  readonly vendor: Vendor;
  /** 0 for the first chat request of this server. */
  readonly index: number;
  readonly model: string;
  /** All system texts, joined. */
  readonly system: string;
  /** Without the system messages. */
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDescription[];
  /** Which of our documents is wanted, by `response.name`. */
  readonly responseName: string | undefined;
  readonly schema: Record<string, unknown> | undefined;
  readonly maxTokens: number | undefined;
}

/** The answer, in the product's own format; the server converts it to the vendor's. */
export interface ScriptedReply {
  readonly text?: string;
  readonly tool_calls?: readonly (Omit<ToolCallRequest, 'id'> & { readonly id?: string })[];
  /** Default: `tool_calls` if there are any, else `stop`. */
  readonly finish?: 'stop' | 'tool_calls' | 'length' | 'refusal';
  /** Default: estimated from the bytes. */
  readonly usage?: Partial<Usage>;
  /** As a stream; default: as the request asks. */
  readonly stream?: boolean;
  readonly delayMs?: number;
}

export type ScriptedAnswer =
  | ScriptedReply
  /** The document of `responseName`, in the vendor's form of documents. */
  | { readonly json: unknown; readonly usage?: Partial<Usage>; readonly delayMs?: number }
  /** Exactly these bytes; an object becomes JSON. */
  | {
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly delayMs?: number;
    }
  /** No answer at all: silence, or a closed connection. */
  | { readonly broken: 'silent' | 'reset' };

export type Script = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** Answers one after the other; past the last it fails the request, so that a test sees the surprise. */
export function inOrder(...answers: readonly ScriptedAnswer[]): Script {
  return ({ index }) =>
    answers[index] ?? {
      status: 400,
      body: { error: { message: `The script has no answer ${index}.` } },
    };
}
