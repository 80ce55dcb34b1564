/**
 * SQL with all columns of a table. Rows have their names in camel case: `run_id` is `runId`.
 *
 * @param columns Separated by white space. `most_uses:maxUses` gives a column another name in rows.
 */
export function tableOf(table: string, columns: string) {
  const named = columns.trim().split(/\s+/).map(namesOf);
  const names = named.map(({ name }) => name);
  const fields = named.map(({ field }) => field);
  const values = `INTO ${table} (${names.join(', ')}) VALUES (${fields.map((field) => `@${field}`).join(', ')})`;
  return {
    names,
    fields,
    select: `SELECT ${selected(columns)} FROM ${table}`,
    insert: `INSERT ${values}`,
    /** Inserts a row, or replaces the one with the same key. */
    replace: `INSERT OR REPLACE ${values}`,
  };
}

/** Columns for a SELECT, with their names in rows. */
export const selected = (columns: string): string =>
  columns
    .trim()
    .split(/\s+/)
    .map(namesOf)
    .map(({ name, field }) => `${name} AS ${field}`)
    .join(', ');

function namesOf(written: string) {
  const [name = '', field] = written.split(':');
  return { name, field: field ?? name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()) };
}

/** A row as a record: the named columns hold JSON, whose values replace the texts. Null stays null. */
export function withJson<Row>(row: object, columns: readonly (keyof Row & string)[]): Row {
  const values: Record<string, unknown> = { ...row };
  for (const column of columns) {
    const text = values[column];
    if (typeof text === 'string') values[column] = JSON.parse(text);
  }
  return values as Row;
}
