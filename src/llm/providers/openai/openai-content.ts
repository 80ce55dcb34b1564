import * as z from 'zod';

/** The names of servers for reasoning, which is not part of the answer. */
export const reasoningFields = {
  reasoning_content: z.string().nullish().catch(undefined),
  reasoning: z.string().nullish().catch(undefined),
  reasoning_details: z.array(z.looseObject({})).nullish().catch(undefined),
};

/** Mistral's reasoning models answer in parts; only parts of type `text` are the answer. */
const Part = z.union([
  z.string(),
  z.looseObject({ type: z.string().nullish(), text: z.string().nullish().catch(undefined) }),
]);
export const Content = z.union([z.string(), z.array(Part), Part]);

/** The answer in a content, whole or a piece of a stream. Other types, such as `thinking`, are not part of it. */
export function textOf(content: unknown): string {
  if (Array.isArray(content)) return content.map(textOf).join('');
  if (typeof content === 'string') return content;
  const { type, text } = (content ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  const isText = /^(output_)?text$/.test(String(type ?? 'text'));
  return isText && typeof text === 'string' ? text : '';
}
