import type { Clause } from './clauses.ts';
import type { Span } from './spans.ts';

/** The kind of a draft: `save` needs earlier results, `shape` calculates and writes, `run` may do anything. */
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

/** A step of an unfinished plan. */
export interface Draft {
  role: DraftRole;
  /** The clause that asks for it, for carried file names. */
  main: Span;
  /** Sentences and clauses before and after it in its description. */
  before: Span[];
  after: Span[];
  /** Added before the text: the verb of `save A as x and B as y`, or a sentence for a bare fence. */
  lead: string;
  inputs: string[];
  outputs: string[];
  /** Indices of earlier drafts whose results it needs. */
  needs: Set<number>;
  refersTo: 'none' | 'last' | 'sentence' | 'unsaved';
  /** `in it`, `in the file`: means the file that was named before, not a result. */
  pointsAtFile: boolean;
  sentence: number;
  /** The masked text of its request. */
  asked: string;
  /** Files that an earlier step named and the text leaves out. */
  carried: string[];
}

/** A draft of what one clause asks for. */
export function newDraft(role: DraftRole, clause: Clause, context: readonly Clause[]): Draft {
  return {
    role,
    main: { start: clause.start, end: clause.end },
    before: [...context],
    after: [],
    lead: '',
    inputs: [],
    outputs: [],
    needs: new Set(),
    refersTo: 'none',
    pointsAtFile: false,
    sentence: clause.sentence,
    asked: clause.masked,
    carried: [],
  };
}
