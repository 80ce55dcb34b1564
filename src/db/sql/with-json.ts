/** A row as a record: the named columns hold JSON, whose values replace the texts. Null stays null. */
export function withJson<Row>(row: object, columns: readonly (keyof Row & string)[]): Row {
  const values: Record<string, unknown> = { ...row };
  for (const column of columns) {
    const text = values[column];
    if (typeof text === 'string') values[column] = JSON.parse(text);
  }
  return values as Row;
}
