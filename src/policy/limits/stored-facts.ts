import * as z from 'zod';
import { ChatFacts } from '../decide/chat-facts.ts';
import { type DecidingRules, ToolCallFacts } from '../decide/tool-call-facts.ts';

/** For `intents.facts`: JSON without the rules, which are stored with the run, and without usual values. */
export const toStoredFacts = (facts: ToolCallFacts): object =>
  storedFacts('tool', toolFields, facts);

/** The same for a model call. */
export const toStoredChatFacts = (facts: ChatFacts): object =>
  storedFacts('chat', chatFields, facts);

/** The names of a schema's fields, and whether each has a default. */
const fieldsOf = ({ shape }: z.ZodObject) =>
  Object.entries(shape).map(([name, schema]) => [name, schema instanceof z.ZodDefault] as const);
const toolFields = fieldsOf(ToolCallFacts);
const chatFields = fieldsOf(ChatFacts);

/** The given fields of a schema, without those that have their default. Sets become lists. */
function storedFacts(of: 'tool' | 'chat', shape: ReturnType<typeof fieldsOf>, facts: object) {
  const values = facts as Readonly<Record<string, unknown>>;
  const fields: Record<string, unknown> = { v: 1, of };
  for (const [name, hasDefault] of shape) {
    const given = values[name];
    if (given === undefined || (given === false && hasDefault)) continue;
    const value = given instanceof Set ? [...given] : given;
    if (!Array.isArray(value) || value.length > 0) fields[name] = value;
  }
  return fields;
}

/** Reads stored facts and adds the rules; undefined if the text is not such a record. */
export const fromStoredFacts = (
  stored: unknown,
  rules: DecidingRules['rules'],
): ToolCallFacts | undefined => readStored('tool', ToolCallFacts, stored, rules);

/** The same for a model call. */
export const fromStoredChatFacts = (
  stored: unknown,
  rules: DecidingRules['rules'],
): ChatFacts | undefined => {
  const facts = readStored('chat', ChatFacts, stored, rules);
  return facts && { estimateMicroUsd: undefined, runTokenBudget: undefined, ...facts };
};

const Head = z.object({ v: z.literal(1), of: z.enum(['tool', 'chat']) });

function readStored<Facts>(
  kind: 'tool' | 'chat',
  schema: z.ZodType<Facts>,
  stored: unknown,
  rules: DecidingRules['rules'],
): (Facts & DecidingRules) | undefined {
  if (Head.safeParse(stored).data?.of !== kind) return undefined;
  const { data } = schema.safeParse(stored);
  return data && { ...data, rules };
}
