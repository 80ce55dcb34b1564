import { columnValue, type Value } from '../../sql/query.ts';
import type { Column, Table } from '../../table/schema.ts';

/** The column that labels rows: `name`, `title`, `course name`, or a first column without repetitions. */
export function labelOf({ columns, nouns, rows, format }: Table): Column | undefined {
  const isNamed = (pattern: RegExp) => columns.find(({ words }) => pattern.test(words.join(' ')));
  const [first] = columns;
  return (
    isNamed(format === 'log' ? /^message$/ : /^(?:name|title)$/) ??
    (nouns.size > 0
      ? isNamed(new RegExp(`^(?:${[...nouns].join('|')})(?: name| title)?$`))
      : undefined) ??
    (first?.values.size === rows ? first : undefined)
  );
}

/** The column that labels rows, if several rows have the same label: the title of a loan. */
export function repeatedLabel(table: Table): Value | undefined {
  const label = labelOf(table);
  return label && label.values.size < table.rows ? columnValue(label) : undefined;
}

/** Words that may follow the name of a column: `fuel type` means `fuel`, `phone number` means `phone`. */
export const columnLabels = ({ columns }: Table, { isNumber, words }: Column): readonly string[] =>
  [
    isNumber
      ? 'number|price|score|point|level|length|speed|count|size|reading|figure|value|money'
      : 'number|address|method',
    ...(!isNumber && words.at(-1) !== 'id' ? ['type|size|kind'] : []),
    ...(words[0] === 'staff' ? ['member'] : []),
    ...(isNumber && /^(?:usd|eur|gbp|chf)$/.test(words.at(-1) ?? '')
      ? ['cost|amount|charge|pay']
      : []),
  ]
    .flatMap((all) => all.split('|'))
    .filter((label) => !columns.some((own) => own.words.includes(label)))
    .flatMap((label) => [label, label === 'address' ? 'addresses' : `${label}s`]);
