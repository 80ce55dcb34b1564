import * as z from 'zod';
import { ToolGrant } from '../../contract/grant.ts';
import { isolationLevels } from '../../contract/isolation.ts';
import type { ChatFacts } from '../decide/decide-api-call.ts';
import type { ToolCallFacts } from '../decide/tool-call-facts.ts';

const gate = z.enum(['auto', 'allow', 'ask', 'deny']);
const trust = z.enum(['supervised', 'sampling', 'autonomous']);
const texts = z.array(z.string());

const Breaker = z.object({ subject: z.string(), restMs: z.number() });
const Hook = z.object({ answer: z.enum(['ask', 'deny']), hook: z.string(), why: z.string() });

const ToolFacts = z.object({
  v: z.literal(1),
  of: z.literal('tool'),
  grant: ToolGrant.optional(),
  workspace: z.string(),
  paths: z
    .array(
      z.object({
        path: z.string(),
        access: z.enum(['read', 'write']),
        realPath: z.string(),
        isProtected: z.boolean().default(false),
        state: z
          .enum(['absent', 'written_last_by_capstan', 'other', 'changed_since_read', 'unchanged'])
          .optional(),
        isExecutable: z.boolean().optional(),
        isDatabase: z.boolean().optional(),
        isRemoved: z.boolean().optional(),
      }),
    )
    .default([]),
  namedHosts: texts.default([]),
  hasReadPrivate: z.boolean().default(false),
  holdsSecret: z.boolean().default(false),
  isolation: z.enum(isolationLevels),
  gates: z.object({ write: gate, execute: gate, spend: gate }),
  trust: z.partialRecord(z.enum(['0', '1', '2', '3']), trust).optional(),
  isSampled: z.boolean().optional(),
  services: texts.optional(),
  capsuleId: z.string().optional(),
  costMicroUsd: z.number().optional(),
  serviceProblem: z.string().optional(),
  isSpendAgreed: z.boolean().optional(),
  isTreeFiltered: z.boolean().optional(),
  breaker: Breaker.optional(),
  hook: Hook.optional(),
});

const ModelFacts = z.object({
  v: z.literal(1),
  of: z.literal('chat'),
  provider: z.string(),
  model: z.string(),
  estimateMicroUsd: z.number().optional(),
  estimateTokens: z.number().optional(),
  isPriceKnown: z.boolean().optional(),
  priceAdvice: z.string().optional(),
  gate,
  hasConsent: z.boolean(),
  holdsSecret: z.boolean().default(false),
  runSpentMicroUsd: z.number(),
  runBudgetMicroUsd: z.number(),
  daySpentMicroUsd: z.number(),
  dayBudgetMicroUsd: z.number(),
  runTokens: z.number(),
  runTokenBudget: z.number().optional(),
  capsuleId: z.string().optional(),
  origin: z.string().optional(),
  capsule: z
    .object({
      budget: z.object({
        runMicroUsd: z.number().exactOptional(),
        dayMicroUsd: z.number().exactOptional(),
      }),
      runSpentMicroUsd: z.number(),
      daySpentMicroUsd: z.number(),
    })
    .optional(),
  mayRaise: z.boolean().optional(),
  breaker: Breaker.optional(),
  hook: Hook.optional(),
});

/** For `intents.facts`: JSON without the rules, which are stored with the run, and without usual values. */
export const toStoredFacts = (facts: ToolCallFacts): object => ({
  v: 1,
  of: 'tool',
  ...fieldsOf(ToolFacts.shape, facts),
});

/** The same for a model call. */
export const toStoredChatFacts = (facts: ChatFacts): object => ({
  v: 1,
  of: 'chat',
  ...fieldsOf(ModelFacts.shape, facts),
});

/** The fields that a schema names, without those that have their default. Sets become lists. */
function fieldsOf(shape: Readonly<Record<string, z.ZodType>>, facts: object) {
  const values = facts as Readonly<Record<string, unknown>>;
  const fields: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const value = values[name] instanceof Set ? [...values[name]] : values[name];
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
    const isDefault = value === false && schema instanceof z.ZodDefault;
    if (!isEmpty && !isDefault) fields[name] = value;
  }
  return fields;
}

/** Reads stored facts and adds the rules; undefined if the text is not such a record. */
export function fromStoredFacts(
  stored: unknown,
  rules: ToolCallFacts['rules'],
): ToolCallFacts | undefined {
  const parsed = ToolFacts.safeParse(stored);
  if (!parsed.success) return undefined;
  const { v: _v, of: _of, grant, namedHosts, services, ...rest } = parsed.data;
  return {
    ...rest,
    grant,
    namedHosts: new Set(namedHosts),
    ...(services && { services: new Set(services) }),
    rules,
  };
}

/** The same for a model call. */
export function fromStoredChatFacts(
  stored: unknown,
  rules: ChatFacts['rules'],
): ChatFacts | undefined {
  const parsed = ModelFacts.safeParse(stored);
  if (!parsed.success) return undefined;
  const { v: _v, of: _of, estimateMicroUsd, runTokenBudget, ...rest } = parsed.data;
  return { ...rest, estimateMicroUsd, runTokenBudget, rules };
}
