/** Why the difference of a file is not shown. `before_unknown`: the whole current text is shown instead. */
export type DifferenceProblem = 'binary' | 'too_large' | 'secret' | 'limit' | 'before_unknown';

const notes: Readonly<Record<DifferenceProblem, string>> = {
  binary: 'not text',
  too_large: 'too large to compare',
  secret: 'not stored, because it contained a secret',
  limit: 'not shown, because the differences are too long',
  before_unknown: 'the earlier text is not known',
};

/** `not text`. */
export const differenceNote = (problem: DifferenceProblem): string => notes[problem];
