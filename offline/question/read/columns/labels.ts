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
