/** A name, quoted for SQL if necessary. */
export const quoteName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/i.test(name) && !reserved.has(name.toLowerCase())
    ? name
    : `"${name.replaceAll('"', '""')}"`;

/** A text value, quoted for SQL. */
export const quoteText = (value: string): string => `'${value.replaceAll("'", "''")}'`;

const reserved = new Set(
  'add all alter and as asc between by case cast check collate column commit constraint create cross current date default delete desc distinct drop each else end escape except exists filter for foreign from full group having if in index inner insert intersect into is join key left like limit match natural not null of offset on or order outer over plan primary pragma range references release rename replace right row rows select set table then to transaction trigger union unique update using vacuum values view when where with window'.split(
    ' ',
  ),
);
