import * as z from 'zod';
import { gateModes } from '../../contract/permissions/gate.ts';
import { ToolGrant } from '../../contract/permissions/grant.ts';
import { isolationLevels } from '../../contract/permissions/isolation.ts';
import { trustLevels } from '../../contract/permissions/trust.ts';
import { writtenFileStates } from '../protected/file-state.ts';
import type { Rule } from '../rules/rule.ts';

/** One path of the operation, with its state on the disk. */
const PathFacts = z.object({
  /** As written in the operation. */
  path: z.string(),
  access: z.enum(['read', 'write']),
  /** Absolute; links followed as far as the path exists. */
  realPath: z.string(),
  isProtected: z.boolean().default(false),
  /** Of a path that is written. */
  state: z.enum(writtenFileStates).optional(),
  isExecutable: z.boolean().optional(),
  /** Whether it is a database that statements change, so that most of its content does not come from the call. */
  isDatabase: z.boolean().optional(),
  isRemoved: z.boolean().optional(),
});
export type PathFacts = Readonly<z.output<typeof PathFacts>>;

/** A provider or a model that is paused after failures. */
const OpenBreaker = z.object({
  /** Its name for people: `openai (gpt-x)`. */
  subject: z.string(),
  restMs: z.number(),
});
export type OpenBreaker = Readonly<z.output<typeof OpenBreaker>>;

/** The strictest answer of the user's hooks to a call. */
const HookAnswer = z.object({
  answer: z.enum(['ask', 'deny']),
  hook: z.string(),
  why: z.string(),
});
export type HookAnswer = Readonly<z.output<typeof HookAnswer>>;

export const gate = z.enum(gateModes);

/** The facts that matter for calls of tools and of models alike. */
export const CallFacts = z.object({
  capsuleId: z.string().optional(),
  holdsSecret: z.boolean().default(false),
  /** Undefined: nothing is paused. */
  breaker: OpenBreaker.optional(),
  /** Undefined: no hook objects. */
  hook: HookAnswer.optional(),
});

/** The rules for a decision, which are not stored with its other facts. */
export interface DecidingRules {
  /** The rules that the run began with. */
  readonly rules?: readonly Rule[] | 'unreadable' | undefined;
  /** The rules as they are now: a stricter decision by them wins. Default: the same. */
  readonly currentRules?: readonly Rule[] | 'unreadable' | undefined;
}
export interface CallFacts extends Readonly<z.output<typeof CallFacts>>, DecidingRules {}

const names = z.array(z.string()).transform((list): ReadonlySet<string> => new Set(list));

/** All facts for a decision. Collected first, so that every decision can be repeated. */
export const ToolCallFacts = CallFacts.extend({
  /** The capsule's grant for the tool; undefined if it has none. */
  grant: ToolGrant.optional(),
  /** Absolute, links resolved. */
  workspace: z.string(),
  /** In the order of the paths of the operation. */
  paths: z.array(PathFacts).readonly().default([]),
  /** Hosts that the user's settings or the text of the task name, as `URL.host` gives them. */
  namedHosts: names.default(new Set()),
  /** Whether this run has read files of the workspace, or data that needed credentials. */
  hasReadPrivate: z.boolean().default(false),
  isolation: z.enum(isolationLevels),
  gates: z.object({ write: gate, execute: gate, spend: gate }),
  /** Default of a tier: supervised. */
  trust: z.partialRecord(z.enum(['0', '1', '2', '3']), z.enum(trustLevels)).optional(),
  /** Whether this call is in the random sample of one in ten. Default: true. */
  isSampled: z.boolean().optional(),
  /** Services that the person configured and the capsule is granted, by name. */
  services: names.optional(),
  /** Why the named service can't be used for this call: the person set its origin, methods and paths. */
  serviceProblem: z.string().optional(),
  /** Maximum cost of a call of a service, by the user's price; undefined if unknown. */
  costMicroUsd: z.number().optional(),
  /** Whether the spending was decided separately, and its money is reserved. Default: false. */
  isSpendAgreed: z.boolean().optional(),
  /** Whether the tool itself omits the files of a folder that a rule withholds (`keptBackBy`). Default: false. */
  isTreeFiltered: z.boolean().optional(),
});
export interface ToolCallFacts extends Readonly<z.output<typeof ToolCallFacts>>, DecidingRules {}
