import type { Measure } from '../tables/query.ts';
import { type Parser, peek } from './parser.ts';

/** A measure and the words that it was named by. */
export interface NamedMeasure {
  readonly measure: Measure;
  readonly phrase: string;
  /** Rows are counted: conditions that follow may be about these rows. */
  readonly isCount: boolean;
}

/** What was written between a token and here. */
export const textFrom = (parser: Parser, start: number): string =>
  parser.text.slice(parser.tokens[start]?.start ?? 0, peek(parser, -1)?.end ?? 0);
