import type { Dimension, Filter } from '../tables/query.ts';
import type { NamedMeasure } from './named-measure.ts';
import type { SaidHaving } from './parse-having.ts';
import type { Noun } from './parse-noun.ts';
import type { SaidOrder } from './parse-order.ts';
import type { SaidOutput } from './parse-output.ts';
import type { Ranking, Selection } from './parse-target.ts';
import type { Parser } from './parser.ts';
import type { Token } from './tokens.ts';

/** A measure of a question, and the conditions that directly follow it. */
export interface DraftMeasure {
  readonly named: NamedMeasure;
  readonly own: Filter[];
  /** A noun alone: the rows themselves where nothing is counted or grouped. */
  readonly noun: Noun | undefined;
  /** "group the requests by …" counts, unless something else is asked for. */
  readonly isImplied: boolean;
}

/** One question while it is read. */
export interface Draft {
  /** Its first token. */
  start: number;
  /** Where words about the file begin that do not belong to the question. */
  end: number | undefined;
  readonly measures: DraftMeasure[];
  readonly groupBy: Dimension[];
  readonly filters: Filter[];
  ranking: Ranking | undefined;
  selection: Selection | undefined;
  /** All rows are asked for: to sort or to convert a file. */
  isAllRows: boolean;
  /** "…, top 5": how many of the ordered groups or rows are kept. */
  limit: number | undefined;
  readonly having: SaidHaving[];
  /** "in seconds": the unit of the values. */
  unit: string | undefined;
  /** Conditions and groupings that stand before what is asked for; they hold for what follows in the sentence too. */
  leadingFilters: number;
  isGroupLed: boolean;
  startsSentence: boolean;
  readonly orders: SaidOrder[];
  readonly rounded: { words: readonly Token[]; decimals: number }[];
  readonly definitions: Map<string, NamedMeasure>;
  readonly output: SaidOutput[];
  /** What words of this question were taken to mean. */
  readonly meanings: Set<string>;
  isMapping: boolean;
  /** What the last item was: conditions behind a measure belong to it. */
  last: 'measure' | 'group' | 'other';
  /** Measures that stood before the grouping. */
  measuresAtGroup: number;
  verb: string | undefined;
  /** A sentence ended: the next target is another question. */
  isClosed: boolean;
}

export const createDraft = (start: number, startsSentence = false): Draft => ({
  start,
  end: undefined,
  measures: [],
  groupBy: [],
  filters: [],
  ranking: undefined,
  selection: undefined,
  isAllRows: false,
  limit: undefined,
  having: [],
  unit: undefined,
  leadingFilters: 0,
  isGroupLed: false,
  startsSentence,
  orders: [],
  rounded: [],
  definitions: new Map(),
  output: [],
  meanings: new Set(),
  isMapping: false,
  last: 'other',
  measuresAtGroup: 0,
  verb: undefined,
  isClosed: false,
});

/** Whether the question says what is asked for. */
export const hasTarget = (draft: Draft): boolean =>
  draft.measures.length > 0 ||
  draft.ranking !== undefined ||
  draft.selection !== undefined ||
  draft.isAllRows ||
  draft.output.some(({ shape }) => shape !== undefined && !shape.isList);

/** To be called before the first thing that is asked for is added. */
export function noteTarget(draft: Draft): void {
  draft.isClosed = false;
  if (hasTarget(draft)) return;
  draft.leadingFilters = draft.filters.length;
  draft.isGroupLed = draft.groupBy.length > 0;
}

/** All that reading one instruction needs. */
export interface Reader {
  readonly parser: Parser;
  readonly drafts: Draft[];
  current: Draft;
  /** "Save … to x.md": the verb whose file has not come yet. */
  pendingWrite: string | undefined;
}

/** Starts another question. */
export function nextDraft(reader: Reader, start = reader.parser.at): Draft {
  const draft = createDraft(start, reader.current.isClosed);
  reader.drafts.push(draft);
  reader.current = draft;
  return draft;
}
