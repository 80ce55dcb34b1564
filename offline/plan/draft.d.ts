import type { Clause } from './clauses.ts';
import type { Span } from './spans.ts';
/** What becomes of a draft: `save` needs earlier results, `shape` works out and writes, `run` may do anything. */
export type DraftRole =
  | 'data'
  | 'shape'
  | 'save'
  | 'content'
  | 'edit'
  | 'copy'
  | 'run'
  | 'sql'
  | 'fetch'
  | 'summarise'
  | 'other';
/** A step while the plan is being put together. */
export interface Draft {
  role: DraftRole;
  /** The clause that asks for it, for carried file names. */
  main: Span;
  /** Sentences and clauses that stand before and behind it in its description. */
  before: Span[];
  after: Span[];
  /** Put before the text: the verb of `save A as x and B as y`, or a sentence for a bare fence. */
  lead: string;
  inputs: string[];
  outputs: string[];
  /** Indices of earlier drafts whose results it needs. */
  needs: Set<number>;
  refersTo: 'none' | 'last' | 'sentence' | 'unsaved';
  /** `in it`, `in the file`: means the file that was named before, not a result. */
  pointsAtFile: boolean;
  sentence: number;
  /** Masked text of what it asks for. */
  asked: string;
  /** File names that the text leaves out and an earlier step named. */
  carried: string[];
}
/** A draft of what one clause asks for. */
export declare function newDraft(
  role: DraftRole,
  clause: Clause,
  context: readonly Clause[],
): Draft;
