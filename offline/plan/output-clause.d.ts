/**
 * What a clause with an output verb wants.
 * - `reference`: what earlier steps found is saved
 * - `content`: a text that the task itself holds is written
 * - `shape`: content and form of a file are described; one step works it out and writes it
 * - `question`: something new is asked for, with or without a place to put it
 */
export type OutputKind = 'reference' | 'content' | 'shape' | 'question';
export interface OutputClause {
  readonly kind: OutputKind;
  /** Offsets in the clause of each file that is written. */
  readonly targets: readonly number[];
  /** `it`: what its sentence found; `a report`, `them`, `the table`: all not saved yet, of which the noun picks. */
  readonly refersTo: 'sentence' | 'unsaved';
  /** Where a second `… and the table as table.csv` starts, else -1. */
  readonly secondAt: number;
}
/** Light stemming, only to see that two phrases speak of the same things. */
export declare const stem: (word: string) => string;
/**
 * Reads a clause that starts with an output verb.
 *
 * @param known Stems of the words of earlier steps: an object made of them is a reference.
 */
export declare function readOutputClause(
  masked: string,
  verb: string,
  known: ReadonlySet<string>,
): OutputClause;
