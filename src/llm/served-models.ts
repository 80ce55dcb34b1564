import * as z from 'zod';
import { once } from '../platform/once.ts';
import { valueAt } from '../platform/text/parse-json.ts';

/** A model in a server's list. */
export interface ServedModel {
  readonly id: string;
  /** Undefined if the list does not contain it. */
  readonly contextTokens: number | undefined;
}

/** How long a server may take to list its models at the start of a run. */
export const listWaitMs = 5_000;

const schemas = once(() => {
  const Model = z.looseObject({
    id: z.string().nullish(),
    name: z.string().nullish(),
    /** Ollama */
    details: z.object({ family: z.string().nullish() }).nullish().catch(undefined),
    /** Gemini */
    supportedGenerationMethods: z.array(z.string()).nullish().catch(undefined),
  });

  const List = z.union([
    z.array(z.unknown()),
    z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data),
    z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
  ]);
  return { Model, List };
});

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

/** Each server has its own name for the context window; the first that it gives counts. */
const windows = [
  'max_model_len',
  'meta.n_ctx',
  'context_length',
  'context_window',
  'max_context_length',
  'max_input_tokens',
  'inputTokenLimit',
  'meta.n_ctx_train',
].map((path) => path.split('.'));

const isTokens = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

const windowOf = (model: unknown): number | undefined =>
  windows.map((path) => valueAt(model, path)).find(isTokens);
