import * as z from 'zod';
import { CallFacts, type DecidingRules, gate } from './tool-call-facts.ts';

/** The budget facts of a call: money in micro-dollars, with the reservations of other calls, without its own estimate. */
const SpendFacts = z.object({
  /** Its maximum cost, by the known prices; undefined if unknown. */
  estimateMicroUsd: z.number().optional(),
  /** The largest number of tokens that it may use. Default: 0. */
  estimateTokens: z.number().optional(),
  runSpentMicroUsd: z.number(),
  runBudgetMicroUsd: z.number(),
  daySpentMicroUsd: z.number(),
  dayBudgetMicroUsd: z.number(),
  runTokens: z.number(),
  /** Undefined: no limit. */
  runTokenBudget: z.number().optional(),
  /** The capsule's limit in a rules file, and its spending so far. Default: no separate limit. */
  capsule: z
    .object({
      budget: z.object({
        runMicroUsd: z.number().optional(),
        dayMicroUsd: z.number().optional(),
      }),
      runSpentMicroUsd: z.number(),
      daySpentMicroUsd: z.number(),
    })
    .optional(),
});
export interface SpendFacts extends Readonly<z.output<typeof SpendFacts>> {
  // Stated, never left out: without them, a limit would be missing silently.
  readonly estimateMicroUsd: number | undefined;
  readonly runTokenBudget: number | undefined;
}

/** All facts for the decision on a model call. */
export const ChatFacts = CallFacts.extend({
  ...SpendFacts.shape,
  provider: z.string(),
  model: z.string(),
  /** Whether the model has a known price; else the estimate uses the highest price of its provider. Default: true. */
  isPriceKnown: z.boolean().optional(),
  /** How to set an unknown price: a sentence without a full stop. */
  priceAdvice: z.string().optional(),
  gate,
  /** Whether the person set a budget, or answered the run's spend question for this provider. */
  hasConsent: z.boolean(),
  /** The address of the provider; undefined if the model runs in this process. */
  origin: z.string().optional(),
  /** Whether a call that would exceed a budget asks to raise it. Default: it is denied. */
  mayRaise: z.boolean().optional(),
});
export interface ChatFacts
  extends Omit<Readonly<z.output<typeof ChatFacts>>, keyof SpendFacts>,
    SpendFacts,
    DecidingRules {}
