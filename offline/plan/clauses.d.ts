import { type VerbKind } from './words.ts';
/** A stretch of the task that asks for one thing, or says something about the ones beside it. */
export interface Clause {
  readonly start: number;
  readonly end: number;
  /** Masked text. */
  readonly masked: string;
  readonly kind: VerbKind | 'context' | 'constraint' | 'unknown';
  readonly verb: string;
  /** Clauses of one sentence share it. */
  readonly sentence: number;
  /** Item of a list, counted from 1; 0 in running text. */
  readonly item: number;
}
/** Cuts a masked task into clauses, in order. What no clause covers is list markers, joints and courtesy. */
export declare function splitClauses(masked: string): readonly Clause[];
