import * as z from 'zod';
import { once } from '../platform/once.ts';

/** A model in a server's list. */
export interface ServedModel {
  readonly id: string;
  /** Undefined if the list does not contain it. */
  readonly contextTokens: number | undefined;
}

/** How long a server may take to list its models at the start of a run. */
export const listWaitMs = 5_000;

const schemas = once(() => {
  const Tokens = z.int().positive().nullish().catch(undefined);

  /** Each server has its own name for the context window. */
  const Model = z.object({
    id: z.string().nullish(),
    name: z.string().nullish(),
    /** vLLM */
    max_model_len: Tokens,
    /** OpenRouter, Together */
    context_length: Tokens,
    /** Groq */
    context_window: Tokens,
    /** Mistral, LM Studio */
    max_context_length: Tokens,
    /** llama.cpp */
    meta: z.object({ n_ctx: Tokens, n_ctx_train: Tokens }).nullish().catch(undefined),
    /** Anthropic */
    max_input_tokens: Tokens,
    /** Gemini */
    inputTokenLimit: Tokens,
    /** Ollama */
    details: z.object({ family: z.string().nullish() }).nullish().catch(undefined),
    supportedGenerationMethods: z.array(z.string()).nullish().catch(undefined),
  });

  const List = z.union([
    z.array(z.unknown()),
    z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
    z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
  ]);
  return { Model, List };
});
type Model = z.infer<ReturnType<typeof schemas>['Model']>;

/** Reads the response of a `GET /models` of any vendor; empty if it is not a list. Only chat models are returned. */
export function readModelList(document: unknown): readonly ServedModel[] {
  const { Model, List } = schemas();
  const list = List.safeParse(document).data ?? [];
  return list.flatMap((entry) => {
    const model = Model.safeParse(entry).data;
    const id = (model?.id || model?.name)?.replace(/^models\//, '');
    const isLocal = model?.details !== undefined;
    const unfit = isLocal ? /embed|bert/i : /embed/i;
    if (!model || !id || unfit.test(`${id} ${model.details?.family ?? ''}`)) return [];
    const methods = model.supportedGenerationMethods;
    if (methods && !methods.includes('generateContent')) return [];
    return [{ id: id.slice(0, 200), contextTokens: windowOf(model) }];
  });
}

function windowOf(model: Model): number | undefined {
  return (
    model.max_model_len ??
    model.meta?.n_ctx ??
    model.context_length ??
    model.context_window ??
    model.max_context_length ??
    model.max_input_tokens ??
    model.inputTokenLimit ??
    model.meta?.n_ctx_train ??
    undefined
  );
}
