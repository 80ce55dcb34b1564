import type { Route } from '../../registry/search/route.ts';

/** Which capsule a task gets, or got, and why. */
export interface RouteExplanation {
  readonly task: string;
  readonly route: Route;
  /** Whether a language model is, or was, available. */
  readonly hasModel: boolean;
  /** Who chooses from a close short list: `auto` is the model if there is one. */
  readonly judge: 'auto' | 'person';
  /** Ids of capsules that were left out because they are quarantined. */
  readonly quarantined: readonly string[];
  /** True for the receipt of a run, false for what would happen now. */
  readonly isPast: boolean;
  /** Capsules and skills that can't be used, one sentence each. */
  readonly problems: readonly string[];
}
