import type { ToolGrant } from '../../contract/permissions/grant.ts';

/** A capsule as described by a model, a person or the heuristic. Not validated yet. */
export interface CapsuleProfile {
  /** The requested id; if empty, it is made from the name. */
  readonly id: string;
  readonly name: string;
  /** What it does, and when to choose it. */
  readonly description: string;
  /** How it works, for the top of its overlay; may be empty. */
  readonly role: string;
  /** Example tasks, in a person's words. */
  readonly examples: readonly string[];
  /** Ids from the catalogue. */
  readonly skills: readonly string[];
  /** By tool. */
  readonly grants: Readonly<Record<string, ToolGrant>>;
}
