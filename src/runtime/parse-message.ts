import type * as z from 'zod';
import { wordsOf } from '../contract/text/issue-words.ts';
import {
  AgentResponse,
  apiCallIntent,
  type CapsuleMessage,
  Progress,
  ToolCallIntent,
} from '../contract/wire/protocol.ts';
import { once } from '../platform/once.ts';
import { isDeeperThan, valueAt } from '../platform/text/parse-json.ts';
import { parseWellFormed } from '../platform/text/well-formed.ts';

/** Deeper values are rejected, because later code is recursive. */
const MAX_DEPTH = 200;
/** Each value takes many times its size as text in memory. */
const MAX_VALUES = 200_000;
/** The shortest text of one value, such as `1,`. */
const MIN_VALUE_CHARS = 2;

/** The schemas of messages, by type. */
export const messageSchemas = new Map<unknown, () => z.ZodType<CapsuleMessage>>([
  ['tool_call_intent', () => ToolCallIntent],
  ['api_call_intent', once(apiCallIntent)],
  ['agent_response', () => AgentResponse],
  ['progress', () => Progress],
]);

export type ParsedLine =
  | { readonly kind: 'message'; readonly message: CapsuleMessage }
  | { readonly kind: 'noise' }
  | { readonly kind: 'nonsense'; readonly problem: string };

/**
 * Parses one line of a capsule: a message of the protocol, noise (not JSON), or JSON that violates the protocol. Lone
 * surrogates are replaced.
 *
 * @param clean Redacts known secrets in values that a problem quotes.
 */
export function parseCapsuleLine(line: string, clean: <T>(value: T) => T): ParsedLine {
  if (line.length > MAX_VALUES * MIN_VALUE_CHARS && countValues(line) > MAX_VALUES) {
    return { kind: 'nonsense', problem: `a message has more than ${MAX_VALUES} values` };
  }
  let json: unknown;
  try {
    json = parseWellFormed(line);
  } catch {
    return { kind: 'noise' };
  }
  if (line.length > MAX_DEPTH && isDeeperThan(MAX_DEPTH, json)) {
    return { kind: 'nonsense', problem: `a message is nested deeper than ${MAX_DEPTH} levels` };
  }
  const schema = messageSchemas.get(valueAt(json, ['type']))?.();
  const parsed = schema?.safeParse(json);
  if (parsed?.success) return { kind: 'message', message: parsed.data };
  const shown = clean(json);
  const again = shown === json ? undefined : schema?.safeParse(shown);
  return { kind: 'nonsense', problem: describeProblem(shown, again?.error ?? parsed?.error) };
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const STARTS: ReadonlySet<number> = new Set(Array.from('[{,', (mark) => mark.charCodeAt(0)));

/** About the number of values in a JSON text, without parsing it. */
function countValues(json: string): number {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString && code === BACKSLASH) at += 1;
    else if (!isInString && STARTS.has(code)) count += 1;
  }
  return count;
}

function describeProblem(json: unknown, error: z.ZodError | undefined): string {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return `a line is JSON but not an object: ${quote(json)}`;
  }
  const type = 'type' in json ? json.type : undefined;
  if (type === undefined) return 'a message has no field "type"';
  if (error === undefined) return `a message has the unknown type ${quote(type)}`;
  const [issue, ...others] = error.issues;
  const path = issue?.path ?? [];
  const field = path.join('.');
  const isMissing = valueAt(json, path) === undefined;
  const what = isMissing ? 'is missing' : `is wrong: ${issue ? wordsOf(issue) : 'invalid'}`;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `field "${field.slice(0, 100)}" of ${quote(type)} ${what}${more}`;
}

const quote = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};
