/**
 * SQL with all columns of a table. Rows have their names in camel case: `run_id` is `runId`.
 *
 * @param columns Separated by white space.
 */
export function tableOf(table: string, columns: string) {
  const names = columns.trim().split(/\s+/);
  const fields = names.map((name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()));
  const selected = names.map((name, at) => `${name} AS ${fields[at]}`);
  const values = `INTO ${table} (${names.join(', ')}) VALUES (${fields.map((field) => `@${field}`).join(', ')})`;
  return {
    names,
    fields,
    select: `SELECT ${selected.join(', ')} FROM ${table}`,
    insert: `INSERT ${values}`,
    /** Inserts a row, or replaces the one with the same key. */
    replace: `INSERT OR REPLACE ${values}`,
  };
}
