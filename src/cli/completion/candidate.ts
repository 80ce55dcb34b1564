/** One completion of the word at the cursor. */
export interface Candidate {
  readonly value: string;
  /** Shown beside it; empty if there is nothing to say. */
  readonly about: string;
}
