import { type Measure, measured } from '../../sql/query.ts';
import { isAmount } from '../../table/schema.ts';
import { column } from '../columns/names.ts';
import { phraseAt, type Reads, rule } from '../grammar.ts';
import { nounEnd } from '../rows/rows.ts';
import { isRate } from './money.ts';

/** `revenue per hour`, with a column `hours`: the ratio of two sums. `for each stay` would be one of each row. */
export const ratio: Reads<Measure> = rule(
  '{of:column} per {column}',
  ({ of, column: per, end }, source) => {
    const lead = phraseAt(source, end, ['for each', 'of each', 'for every', 'of the', 'of our']);
    const isGroup = lead?.value.startsWith('for') && column(source, lead.end);
    const isOfRows = lead && nounEnd(source, lead.end) !== undefined && !isGroup;
    const isRated = /^(?:price|rate|wage|fee|speed|rating|score)$/.test(
      of.column?.words.at(-1) ?? '',
    );
    const isClear = of.column && isAmount(of.column) && !isRated && per.sql !== of.sql && !isOfRows;
    return isClear && isRate(source, { value: per, end })
      ? { ...measured('ratio', of, `${of.words} per ${per.words}`), per }
      : undefined;
  },
);
