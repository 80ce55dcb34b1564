/**
 * The first existing capsule that a text names as `@id`, at its start or after white space. Other words with an at sign
 * (`@types`, a decorator) are ignored.
 */
export function namedInText(
  text: string,
  capsules: ReadonlyMap<string, unknown>,
): string | undefined {
  for (const [, id = ''] of text
    .slice(0, 20_000)
    .matchAll(/(?<!\S)@([a-z][a-z0-9-]{0,63})(?![\w/-])/g)) {
    if (capsules.has(id)) return id;
  }
  return undefined;
}

/** The text without a leading `@id` of this capsule, which is for the router. */
export const withoutName = (text: string, id: string): string =>
  text.startsWith(`@${id} `) ? text.slice(id.length + 2).trimStart() || text : text;

/** Tools that a text names by their names in snake case, as in `read it with sql_query`. */
export function toolsInText(text: string, tools: ReadonlyMap<string, unknown>): string[] {
  const words = new Set(
    text.slice(0, 20_000).match(/(?<![a-z0-9_])[a-z][a-z0-9]*(?:_[a-z0-9]+)+/g) ?? [],
  );
  return [...words].filter((word) => tools.has(word));
}
