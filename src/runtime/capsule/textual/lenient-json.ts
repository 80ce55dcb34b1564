/** Parses JSON; line breaks inside strings and commas before a closing bracket are accepted. Undefined if it can't be parsed. */
export function parseLeniently(text: string): unknown {
  return parse(text) ?? parse(repaired(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const STRING_OR_LAST_COMMA = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|,(?=\s*[}\]])/g;
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const repaired = (text: string): string =>
  text.replace(STRING_OR_LAST_COMMA, (found) =>
    found === ',' ? '' : found.replace(/[\n\r\t]/g, (char) => ESCAPES[char] ?? char),
  );
