import * as z from 'zod';
import type { ChatFacts } from '../decide/decide-api-call.ts';
import type { ToolCallFacts } from '../decide/tool-call-facts.ts';

const gate = z.enum(['auto', 'allow', 'ask', 'deny']);
const level = z.enum(['A', 'B', 'C', 'none']);
const trust = z.enum(['supervised', 'sampling', 'autonomous']);
const texts = z.array(z.string());

const Breaker = z.object({ subject: z.string(), restMs: z.number() });
const Hook = z.object({ answer: z.enum(['ask', 'deny']), hook: z.string(), why: z.string() });

const ToolFacts = z.object({
  v: z.literal(1),
  of: z.literal('tool'),
  grant: z
    .object({
      operations: texts.optional(),
      paths: texts.optional(),
      hosts: texts.optional(),
      commands: texts.optional(),
    })
    .optional(),
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
        isRemoved: z.boolean().optional(),
      }),
    )
    .default([]),
  namedHosts: texts.default([]),
  hasReadPrivate: z.boolean().default(false),
  holdsSecret: z.boolean().default(false),
  isolation: level,
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

/** The facts of a decision as JSON, without the rules, which are stored with the run. */
export type StoredToolFacts = z.input<typeof ToolFacts>;
export type StoredChatFacts = z.input<typeof ModelFacts>;

/** For `intents.facts`: usual values become undefined, and so are left out of the JSON. */
export function toStoredFacts(facts: ToolCallFacts): StoredToolFacts {
  const { grant, workspace, paths, namedHosts, isolation, gates, services } = facts;
  const { write, execute, spend } = gates;
  return {
    v: 1,
    of: 'tool',
    grant: grant && pickGrant(grant),
    workspace,
    paths: paths.length > 0 ? paths.map(storedPath) : undefined,
    namedHosts: namedHosts.size > 0 ? [...namedHosts] : undefined,
    isolation,
    gates: { write, execute, spend },
    trust: facts.trust,
    services: services && services.size > 0 ? [...services] : undefined,
    capsuleId: facts.capsuleId,
    costMicroUsd: facts.costMicroUsd,
    serviceProblem: facts.serviceProblem,
    breaker: facts.breaker,
    hook: facts.hook,
    isSampled: facts.isSampled,
    hasReadPrivate: facts.hasReadPrivate || undefined,
    holdsSecret: facts.holdsSecret || undefined,
    isTreeFiltered: facts.isTreeFiltered || undefined,
    isSpendAgreed: facts.isSpendAgreed || undefined,
  };
}

const pickGrant = ({
  operations,
  paths,
  hosts,
  commands,
}: NonNullable<ToolCallFacts['grant']>) => ({
  operations: operations && [...operations],
  paths: paths && [...paths],
  hosts: hosts && [...hosts],
  commands: commands && [...commands],
});

const storedPath = ({
  path,
  access,
  realPath,
  isProtected,
  state,
  isExecutable,
}: ToolCallFacts['paths'][number]) => ({
  path,
  access,
  realPath,
  isProtected: isProtected || undefined,
  state,
  isExecutable: isExecutable || undefined,
});

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

/** For `intents.facts` of a model call. */
export function toStoredChatFacts({
  rules: _rules,
  currentRules: _current,
  ...facts
}: ChatFacts): StoredChatFacts {
  return { v: 1, of: 'chat', ...facts };
}

/** Reads stored facts and adds the rules; undefined if the text is not such a record. */
export function fromStoredChatFacts(
  stored: unknown,
  rules: ChatFacts['rules'],
): ChatFacts | undefined {
  const parsed = ModelFacts.safeParse(stored);
  if (!parsed.success) return undefined;
  const { v: _v, of: _of, estimateMicroUsd, runTokenBudget, ...rest } = parsed.data;
  return { ...rest, estimateMicroUsd, runTokenBudget, rules };
}
