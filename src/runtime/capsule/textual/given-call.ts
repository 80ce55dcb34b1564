/** A tool call as a model wrote it in its text. */
export interface GivenCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
  /** The arguments as they were written, if they are not a JSON object. */
  readonly invalid?: string;
}

/** Maximum number of calls in one answer. */
export const MAX_CALLS = 64;

/** A list in an object, of objects that contain the call: three levels. */
const MAX_DEPTH = 3;

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function', 'action'] as const;
const ARGS_KEYS = ['arguments', 'args', 'parameters', 'input', 'action_input', 'params'] as const;
const WRAPPERS = ['tool_calls', 'tool_call', 'function_call', 'function'] as const;
const KNOWN_KEYS: ReadonlySet<string> = new Set([...NAME_KEYS, ...ARGS_KEYS, 'type', 'id']);

/** The calls of a JSON value: one call, or a list of nothing but calls. Undefined if it is anything else. */
function callsInValue(value: unknown, depth = 0): readonly GivenCall[] | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) {
    if (value.length === 0 || value.length > MAX_CALLS) return undefined;
    const calls = value.map((one) => callsInValue(one, depth + 1));
    return calls.every((one) => one !== undefined) ? calls.flat() : undefined;
  }
  const fields = value as Record<string, unknown>;
  const name = firstOf(fields, NAME_KEYS);
  if (typeof name !== 'string') {
    const wrapped = firstOf(fields, WRAPPERS);
    return callsInValue(wrapped, depth + 1);
  }
  if (Object.keys(fields).some((key) => !KNOWN_KEYS.has(key))) return undefined;
  return [givenCall(name, firstOf(fields, ARGS_KEYS))];
}

/** The same for text. */
export function callsInJson(text: string): readonly GivenCall[] | undefined {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  const whole = parseLeniently(trimmed);
  if (whole !== undefined) return callsInValue(whole);
  // One call on each line.
  const lines = trimmed.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > MAX_CALLS) return undefined;
  return callsInValue(lines.map((line) => parseLeniently(line.trim())));
}

/** @param args An object, or JSON text of one. Empty: no arguments. */
export function givenCall(name: string, args: unknown): GivenCall {
  const plain = name.trim().replace(/^functions\./, '');
  if (args === undefined || args === null || args === '') return { name: plain, args: {} };
  const value = typeof args === 'string' ? parseLeniently(args.trim()) : args;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { name: plain, args: value as Record<string, unknown> };
  }
  const invalid = typeof args === 'string' ? args : JSON.stringify(args);
  return { name: plain, args: {}, invalid };
}

const firstOf = (fields: Record<string, unknown>, keys: readonly string[]): unknown => {
  const key = keys.find((one) => Object.hasOwn(fields, one));
  return key === undefined ? undefined : fields[key];
};

/** Parses JSON; line breaks inside strings and commas before a closing bracket are accepted. Undefined if it can't be parsed. */
export const parseLeniently = (text: string): unknown => parse(text) ?? parse(repaired(text));

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
