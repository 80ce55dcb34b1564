import { columnValue } from '../sql/query.ts';
import { type Reads, rule } from './grammar.ts';
import { addConditions } from './subjects.ts';

/** Reads a yes/no question: `is Marlin insured?`, `has Ada Holm paid?`. The answer shows the cell. */
export const yesNo: Reads<true> = rule(
  '(is|are|was|were|has|have|had|does|do|did) [the|our|my] {value} [been|already|have|get] {column} [yet|already]',
  ({ value, column, from, end }, { query, tokens }) => {
    const isAll = from === 0 && /^(?:mark|file)$/.test(tokens[end]?.kind ?? 'mark');
    if (!isAll || value.column === undefined || value.value === undefined || !column.column?.truth)
      return undefined;
    query.subject = 'rows';
    query.columns.push(columnValue(value.column), columnValue(column.column));
    addConditions(query, [value]);
    return true as const;
  },
);
