import { columnValue, type Measure, measured } from '../../sql/query.ts';
import { isAmount } from '../../table/schema.ts';
import { type Reads, rule } from '../grammar.ts';

/** Shares and percentages: of rows with a condition, of a group in the whole, of one column in another one. */
export const shares: readonly Reads<Measure>[] = [
  // `donated as a percentage of the weight`, `what percent of kg was donated`
  rule(
    '({of2:column} as [a|the] (percentage|percent|share) of [the|total|our] [total] {of:column}|(what|which|how much|percentage|percent|share) [percentage|percent|share] of [the|all|our|total] [total] ({of:column}|{rows}|{text}) (was|were|is|are|did we|have we|do we) {of2:column})',
    ({ of, of2 }, { table }) => {
      const part = of2?.column;
      const unit = part?.words.at(-1);
      const others = table.columns.filter(
        (own) => own !== part && isAmount(own) && own.words.at(-1) === unit,
      );
      const whole = of ?? (others.length === 1 && others[0] ? columnValue(others[0]) : undefined);
      if (!of2 || !part || !isAmount(part) || !whole?.column || !isAmount(whole.column))
        return undefined;
      return {
        ...measured('ratio', of2, `% ${of2.words} of ${whole.words}`),
        per: whole,
        percent: 100,
      };
    },
  ),
  rule(
    '[what|which] (percentage of|percent of|share of|proportion of|fraction of|% of) [the|all|our|my] {rows}',
    ({ rows: all }) => ({ ...measured('share', undefined, `% ${all.text}`), where: all.where }),
  ),
  rule(
    '[what|which] (percentage of|percent of|share of|proportion of|% of) [the|our|my] [total] {of:column}',
    ({ of, from }, { tokens }) =>
      of.column && isAmount(of.column) && tokens[from - 2]?.norm !== 'as'
        ? measured('share', of, `% ${of.words}`)
        : undefined,
  ),
];
