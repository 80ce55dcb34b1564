/** A piece of a task whose inside is never read as language. */
export interface Atom {
  readonly kind: 'fence' | 'code' | 'url' | 'quote' | 'shape' | 'file' | 'glob';
  readonly start: number;
  readonly end: number;
  /** Without its quotes, ticks or fence; for a fence its body. */
  readonly value: string;
  /** A fence's language in lower case, else ''. */
  readonly language: string;
}
/** One private-use character per kind, so that patterns can ask for a kind and never see the inside. */
export declare const marks: {
  readonly fence: '';
  readonly code: '';
  readonly url: '';
  readonly quote: '';
  readonly shape: '';
  readonly file: '';
  readonly glob: '';
};
/** Anything that is an atom, as a character class. */
export declare const anyMark = '[\uE000-\uE006]';
/** The atoms of a task in the order they stand. */
export declare function findAtoms(text: string): readonly Atom[];
/** The text with every character of an atom replaced by its mark: same length, nothing inside to misread. */
export declare function maskAtoms(text: string, atoms: readonly Atom[]): string;
