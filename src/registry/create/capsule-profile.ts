import type { ToolGrant } from '../../contract/grant.ts';

/** A capsule as a model, a person or our heuristic describes it. Any of it may be wrong or too much. */
export interface CapsuleProfile {
  /** Wished for; empty: made from the name. */
  readonly id: string;
  readonly name: string;
  /** What it does, and when to choose it. */
  readonly description: string;
  /** How it works, for the top of its overlay; may be empty. */
  readonly role: string;
  /** Tasks for it, as a person would say them. */
  readonly examples: readonly string[];
  /** Ids from the catalogue. */
  readonly skills: readonly string[];
  /** By tool. */
  readonly grants: Readonly<Record<string, ToolGrant>>;
}
