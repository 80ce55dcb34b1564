import type { ChatMessage } from '../../../contract/chat.ts';
import type { Carried } from '../../answer/carried.ts';
import { type Reasoning, thinkingTokens } from '../../answer/reasoning.ts';
import { documentInstruction, titledSchema } from '../../answer/structured.ts';
import { defaultMaxOutputTokens } from '../../answer/usage.ts';
import type { ModelRequest } from '../../provider.ts';

type Part = Readonly<Record<string, unknown>>;

/** How a document is requested: by its schema, or in the prompt if there are tools or the schema was rejected. */
export type DocumentForm = 'schema' | 'words';

/** The placeholder for a missing signature of a call. Source: ai.google.dev/gemini-api/docs/thought-signatures */
const noSignature = Buffer.from('skip_thought_signature_validator').toString('base64');

/** Options outside the request itself. */
export interface ContentOptions {
  readonly model: string;
  readonly form: DocumentForm;
  readonly signatures: Carried<string>;
  /** The reasoning effort. Default: the model's. */
  readonly thinking: Reasoning | undefined;
}

/** One `POST …:generateContent`. Source: ai.google.dev/api/generate-content */
export function contentBody(
  request: ModelRequest,
  { model, form, signatures, thinking }: ContentOptions,
): Record<string, unknown> {
  const { response, tools } = request;
  const maxOutputTokens = request.max_output_tokens ?? defaultMaxOutputTokens;
  const inWords = response !== undefined && form === 'words';
  const system = request.messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content);
  if (inWords) system.push(documentInstruction(response));
  return {
    contents: contentsOf(request.messages, signatures),
    ...(system.length > 0 ? { systemInstruction: { parts: [{ text: system.join('\n\n') }] } } : {}),
    ...(tools?.length ? { tools: [{ functionDeclarations: tools.map(declaration) }] } : {}),
    generationConfig: {
      maxOutputTokens,
      ...(thinking ? thinkingConfig(model, thinking, maxOutputTokens) : {}),
      ...(response === undefined || inWords
        ? {}
        : { responseMimeType: 'application/json', responseJsonSchema: titledSchema(response) }),
    },
  };
}

/** Models of version 2.5 take a token budget, later ones a level; the larger ones can't disable reasoning. */
function thinkingConfig(model: string, level: Reasoning, maxOutputTokens: number) {
  const version = Number(/gemini-(\d+(\.\d+)?)/.exec(model)?.[1] ?? 3);
  const isLarge = /pro/.test(model);
  if (version < 2.5) return {};
  if (version >= 3) {
    const least = isLarge ? 'low' : 'minimal';
    return { thinkingConfig: { thinkingLevel: level === 'none' ? least : level } };
  }
  const none = isLarge ? 128 : 0;
  const thinkingBudget = level === 'none' ? none : thinkingTokens(level, maxOutputTokens);
  return { thinkingConfig: { thinkingBudget } };
}

function declaration(tool: NonNullable<ModelRequest['tools']>[number]) {
  const { $schema: _, ...parameters } = tool.parameters;
  return { name: tool.name, description: tool.description, parametersJsonSchema: parameters };
}

function contentsOf(messages: readonly ChatMessage[], signatures: Carried<string>) {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant'
        ? (message.tool_calls ?? []).map(({ id, name }) => [id, name] as const)
        : [],
    ),
  );
  const contents: { role: 'user' | 'model'; parts: Part[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = partsOf(message, names, signatures);
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  return contents;
}

function partsOf(
  message: ChatMessage,
  names: ReadonlyMap<string, string>,
  signatures: Carried<string>,
): Part[] {
  if (message.role === 'tool') {
    const name = names.get(message.tool_call_id) ?? 'unknown';
    const response = { output: message.content };
    return [{ functionResponse: { id: message.tool_call_id, name, response } }];
  }
  const text = message.content === '' ? [] : [{ text: message.content }];
  if (message.role !== 'assistant') return text;
  const calls = (message.tool_calls ?? []).map(({ id, name, args }, index) => {
    const signature = signatures.find(id) ?? (index === 0 ? noSignature : undefined);
    return {
      functionCall: { id, name, args },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    };
  });
  return [...text, ...calls];
}
