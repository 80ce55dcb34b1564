import type { ChatMessage } from '../../../contract/wire/chat.ts';
import { callsOf, systemTexts, toolNames, turnsOf } from '../../answer/messages.ts';
import { type Reasoning, thinkingTokens } from '../../answer/reasoning.ts';
import { documentInstruction, titledSchema } from '../../answer/structured.ts';
import type { ModelRequest } from '../../provider.ts';
import type { Call } from '../../wire.ts';

type Part = Readonly<Record<string, unknown>>;

/** The features that a model accepts. */
export interface Form {
  readonly mayThink: boolean;
  /** Names of documents whose schema was rejected. */
  readonly refusedDocuments: readonly string[];
}

/** Whether a document is requested by its schema; else in the prompt. The API rejects a schema with tools. */
export const usesSchema = ({ response, tools }: ModelRequest, form: Form): boolean =>
  response !== undefined && !tools?.length && !form.refusedDocuments.includes(response.name);

/** The placeholder for a missing signature of a call. Source: ai.google.dev/gemini-api/docs/thought-signatures */
const noSignature = Buffer.from('skip_thought_signature_validator').toString('base64');

/** One `POST …:generateContent`. Source: ai.google.dev/api/generate-content */
export function contentBody(
  request: ModelRequest,
  { model, form, reasoning, maxTokens, extraOf }: Call<Form, string>,
): Record<string, unknown> {
  const { response, tools, messages } = request;
  const hasSchema = usesSchema(request, form);
  const names = toolNames(messages);
  const system = systemTexts(messages);
  if (response && !hasSchema) system.push(documentInstruction(response));
  return {
    contents: turnsOf(messages, (message) => partsOf(message, names, extraOf)).map(
      ({ isModel, parts }) => ({ role: isModel ? 'model' : 'user', parts }),
    ),
    ...(system.length > 0 ? { systemInstruction: { parts: [{ text: system.join('\n\n') }] } } : {}),
    ...(tools?.length ? { tools: [{ functionDeclarations: tools.map(declaration) }] } : {}),
    generationConfig: {
      maxOutputTokens: maxTokens,
      ...(form.mayThink && reasoning ? thinkingConfig(model, reasoning, maxTokens) : {}),
      ...(response && hasSchema
        ? { responseMimeType: 'application/json', responseJsonSchema: titledSchema(response) }
        : {}),
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

function partsOf(
  message: ChatMessage,
  names: ReadonlyMap<string, string>,
  extraOf: Call<Form, string>['extraOf'],
): Part[] {
  if (message.role === 'tool') {
    const name = names.get(message.tool_call_id) ?? 'unknown';
    const response = { output: message.content };
    return [{ functionResponse: { id: message.tool_call_id, name, response } }];
  }
  const text = message.content === '' ? [] : [{ text: message.content }];
  const calls = callsOf(message).map(({ id, name, args }, index) => {
    const thoughtSignature = extraOf(id) ?? (index === 0 ? noSignature : undefined);
    return { functionCall: { id, name, args }, ...(thoughtSignature && { thoughtSignature }) };
  });
  return [...text, ...calls];
}
