/** The fields of a cell that is a JSON object; none if it is no JSON. */
export function parsed(cell: string): Record<string, unknown> {
  try {
    return JSON.parse(cell) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The elements of cells that are JSON lists. Undefined if a cell is none. */
export function elementsOf(cells: readonly string[]): readonly string[] | undefined {
  const isList = (cell: string) => cell.startsWith('[') && Array.isArray(parsed(cell));
  if (cells.length === 0 || !cells.every(isList)) return undefined;
  const elements = cells.flatMap((cell) => Object.values(parsed(cell)));
  return elements.filter((one) => /^(?:string|number)$/.test(typeof one)).map(String);
}
