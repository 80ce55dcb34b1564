import { numberWords, type Unit, units } from '../../../language/lexicon.ts';
import type { Column, Table } from '../../table/schema.ts';
import { isOneOf } from '../columns/names.ts';
import { type Reads, rule, type Source } from '../grammar.ts';

/** A number in digits or in words. */
export const number: Reads<number> = ({ tokens }, at) => {
  const { kind, text = '', norm = '', value } = tokens[at] ?? {};
  const found = kind === 'number' ? value : kind === 'word' ? numberWords.get(norm) : undefined;
  const isOrdinal = kind === 'number' && /(?:st|nd|rd|th)$/i.test(text);
  return found === undefined || isOrdinal ? undefined : { value: found, end: at + 1 };
};

/** A number as written, possibly with a unit. */
export interface Amount {
  readonly number: number;
  readonly unit?: Unit;
  readonly isMoney: boolean;
}

const currencies = '$|€|£|euro|euros|eur|dollar|dollars|usd|pound|pounds|gbp|franc|francs|chf';

const without = `${currencies}|%|percent|degrees|pieces|years`;

const magnitudes = new Map(Object.entries({ k: 1e3, thousand: 1e3, million: 1e6, m: 1e6 }));

/** Amounts in words: `half an hour`, `an hour and a half`, `a minute`. */
const wordy = rule(
  '(lead:[half] an|a|one) word:(hour|minute|second|day|week)',
  ({ lead, word }): Amount | undefined => {
    const unit = units.get(word);
    return unit && { number: lead ? 0.5 : 1, unit, isMoney: false };
  },
);

/** Reads an amount: `5`, `$50`, `-3`, `0.3 s`, `10 KB`, `2 million`, `half an hour`. */
export const amount: Reads<Amount> = (source, start) => {
  const inWords = wordy(source, start);
  if (inWords) return inWords;
  let at = start;
  let isMoney = false;
  const skip = (words: string) => {
    const isColumn = source.slots['column']?.(source, at) !== undefined;
    if (isColumn || !isOneOf(source, at, words)) return false;
    isMoney ||= isOneOf(source, at, currencies);
    at += 1;
    return true;
  };
  skip(without);
  const sign = skip('-') ? -1 : 1;
  const found = number(source, at);
  if (!found) return undefined;
  at = found.end;
  const { unit, scale } = unitAt(source, at, isMoney);
  if (unit ?? scale) at += 1;
  skip(without);
  const value = { number: sign * found.value * (scale ?? 1), ...(unit && { unit }), isMoney };
  return { value, end: at };
};

/** The unit or magnitude at a token. `pounds` are money in a table without weights; `m` means millions only for money. */
function unitAt(
  { tokens, table }: Source,
  at: number,
  isMoney: boolean,
): { readonly unit?: Unit | undefined; readonly scale?: number | undefined } {
  const { kind, stem = '', norm = '', start = 0 } = tokens[at] ?? {};
  const unit = kind === 'word' ? units.get(stem) : undefined;
  const isOther = /^(?:pound|m)$/.test(stem) && unit && ofKind(table, unit[0]).length === 0;
  if (unit && !isOther) return { unit };
  const isApart = norm === 'm' && !isMoney && start > (tokens[at - 1]?.end ?? 0);
  return { scale: isApart ? undefined : magnitudes.get(norm) };
}

/** Converts an amount to the unit of a column: `0.3 s` is 300 for milliseconds. Undefined for a unit of another kind. */
export function amountFor(own: Column, { number: given, unit }: Amount): number | undefined {
  if (!unit) return given;
  const of = unitOf(own);
  if (of?.[0] !== unit[0]) return undefined;
  return Number(((given * unit[1]) / of[1]).toPrecision(12));
}

/** The unit in the name of a column: `duration_ms`, `bytes`. */
export function unitOf({ words, name, unit }: Column): Unit | undefined {
  if (unit) return unit;
  if (/(?:_|\b)ms$|Ms$/.test(name)) return ['time', 0.001];
  const [first = ''] = /^(?:minutes|hours|days|weeks|seconds)\b/i.exec(name) ?? [];
  const last = first ? (words[0] ?? '') : (words.at(-1) ?? '');
  // `eur_per_hour` is a rate, not a time.
  if (words.includes('per')) return undefined;
  if (last === 'byte' || last === 'size') return ['size', 1];
  return last === 'b' ? undefined : units.get(last);
}

/** The numeric columns with a unit of this kind. */
export const ofKind = ({ columns }: Pick<Table, 'columns'>, kind: Unit[0]): readonly Column[] =>
  columns.filter((own) => own.isNumber && unitOf(own)?.[0] === kind);
