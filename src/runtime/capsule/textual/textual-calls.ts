import type { ToolDescription } from '../../../contract/wire/chat.ts';
import { forms, type TypeOf, trailers } from './forms.ts';
import { callsInJson, type GivenCall, givenCall, MAX_CALLS } from './given-call.ts';

/** The calls in a text, and what the model wrote before them. */
export interface TextualCalls {
  readonly prose: string;
  readonly calls: readonly GivenCall[];
}

/**
 * Tool calls that a model wrote as text: the whole text, or the blocks that it ends with. Undefined if there are none, one
 * of them is not for an offered tool, they are an example in an answer, or they are copied from the input of the model. Takes
 * time linear in the texts.
 *
 * @param given Contents of the messages that are not the model's. Default: none.
 */
export function findTextualCalls(
  text: string,
  offered: readonly ToolDescription[],
  given: readonly string[] = [],
): TextualCalls | undefined {
  const own = withoutTrailers(withoutReasoning(text));
  const typeOf = typesOf(offered);
  const names = new Set(offered.map(({ name }) => name));
  for (const find of [wholeJson, fenced, react, between]) {
    const found = find(own, typeOf);
    if (found === undefined || found.calls.length > MAX_CALLS) continue;
    const isOffered = found.calls.every(({ name }) => names.has(name));
    if (!isOffered || isQuoted(found.prose)) continue;
    return isEchoed(own.slice(found.prose.length), given) ? undefined : found;
  }
  return undefined;
}

function wholeJson(text: string): TextualCalls | undefined {
  const calls = callsInJson(text);
  return calls && { prose: '', calls };
}

/** A fence contains JSON, or a single call in one of the other forms. */
function fenced(text: string, typeOf: TypeOf): TextualCalls | undefined {
  const found = fencedBlocks(text);
  return found && callsOf(found, (body) => callsInJson(body) ?? wholeForm(body, typeOf));
}

function wholeForm(body: string, typeOf: TypeOf): readonly GivenCall[] | undefined {
  const found = between(body, typeOf);
  return found?.prose.trim() === '' ? found.calls : undefined;
}

function react(text: string): TextualCalls | undefined {
  const found = reactCall(text);
  return found && callsOf(found, (body) => [givenCall(found.name, body)]);
}

function between(text: string, typeOf: TypeOf): TextualCalls | undefined {
  for (const form of forms) {
    const found = blocksBetween(text, form);
    const calls = found && callsOf(found, (body) => form.read(body, typeOf));
    if (calls) return calls;
  }
  return undefined;
}

function callsOf(
  { prose, bodies }: LastBlocks,
  read: (body: string) => readonly GivenCall[] | undefined,
): TextualCalls | undefined {
  const calls = bodies.map(read);
  return calls.every((one) => one !== undefined) ? { prose, calls: calls.flat() } : undefined;
}

const END_OF_REASONING = '</think>';

function withoutReasoning(text: string): string {
  const trimmed = text.trim();
  const isOpened = trimmed.startsWith('<think>');
  if (!isOpened) return trimmed;
  const end = trimmed.indexOf(END_OF_REASONING);
  return end === -1 ? '' : trimmed.slice(end + END_OF_REASONING.length).trimStart();
}

function withoutTrailers(text: string): string {
  let rest = text;
  for (let count = 0; count < trailers.length; count += 1) {
    const trailer = trailers.find((one) => rest.endsWith(one));
    if (trailer === undefined) return rest;
    rest = rest.slice(0, -trailer.length).trimEnd();
  }
  return rest;
}

const typesOf =
  (offered: readonly ToolDescription[]): TypeOf =>
  (tool, argument) => {
    const { parameters } = offered.find(({ name }) => name === tool) ?? {};
    const properties = parameters?.['properties'] as Record<string, { type?: unknown }> | undefined;
    const type = properties?.[argument]?.type;
    return typeof type === 'string' ? type : undefined;
  };

/** Blanks, escapes and code fences, which may differ between a text and the same text in JSON or in a fence. */
const INCIDENTAL = /```\w*|\\+[nrt]?|\s+/g;

const essenceOf = (text: string): string => text.replace(INCIDENTAL, '');

/**
 * Whether a text is copied from the input of the model, such as a file or a page.
 *
 * @param given Contents of the messages that are not the model's.
 */
function isEchoed(text: string, given: readonly string[]): boolean {
  const essence = essenceOf(text);
  return essence !== '' && given.some((one) => essenceOf(one).includes(essence));
}

/** A longer text before a call is an answer that contains an example. */
const MAX_PROSE_CHARS = 2_000;
/** The last lines of the prose introduce the call. */
const INTRODUCTION = { lines: 2, chars: 300 };

const QUOTING =
  /\b(?:examples?|e\.g|for instance|syntax|samples?|templates?|says?|said|states?|stated|contains?|includes?|quot(?:e|es|ed|ing)|instruct(?:s|ed|ion|ions)?|inject(?:s|ed|ion)?|suspicious|ignor(?:e|es|ed|ing)|like this|you (?:can|could|would|should|may|might)|never|(?:do|does|must|should|will) not|(?:do|does|must|should|wo)n['’]t)\b/i;

function isQuoted(prose: string): boolean {
  if (prose.trim().length > MAX_PROSE_CHARS) return true;
  const lines = prose.split('\n');
  if (/^\s*>/.test(lines.at(-1) ?? '') || /[`"'“‘(]$/.test(prose)) return true;
  const introduction = lines.filter((line) => line.trim() !== '').slice(-INTRODUCTION.lines);
  if (QUOTING.test(introduction.join('\n').slice(-INTRODUCTION.chars))) return true;
  return lines.filter((line) => /^\s{0,3}```/.test(line)).length % 2 === 1;
}

/** `Action: name` and `Action Input: {…}` at the end of a text. A following `Observation:` is invented by the model, and dropped. */
function reactCall(text: string): (LastBlocks & { readonly name: string }) | undefined {
  const lines = text.split('\n');
  const observed = lines.findIndex((line) => /^\s*\**Observation\**\s*:/.test(line));
  const own = observed === -1 ? lines : lines.slice(0, observed);
  const at = own.findLastIndex((line) => textAfter(line, 'Action') !== undefined);
  const inputAt = own.findIndex((line, index) => index > at && line.trim() !== '');
  const name = textAfter(own[at] ?? '', 'Action')?.replace(/^[`"'*\s]+|[`"'*\s]+$/g, '');
  const input = textAfter(own[inputAt] ?? '', 'Action Input');
  if (name === undefined || input === undefined || at === -1) return undefined;
  const rest = [input, ...own.slice(inputAt + 1)].join('\n').trim();
  const body = rest.replace(/^```(?:json)?\s*\n?/, '').replace(/\n?```$/, '');
  return { name, prose: own.slice(0, at).join('\n'), bodies: [body] };
}

/** The text after `Label:` on a line, also if the label is bold; undefined if the line does not begin with it. */
function textAfter(line: string, label: string): string | undefined {
  const text = line.slice(0, 200).trimStart().replace(/^\*+/, '');
  if (!text.startsWith(label)) return undefined;
  const after = text.slice(label.length).replace(/^\**\s*:\**/, ':');
  if (!after.startsWith(':')) return undefined;
  return line.slice(line.indexOf(':') + 1).replace(/^\*+/, '');
}

/** The blocks at the end of a text, with nothing but blanks between and after them, and the prose before the first. */
export interface LastBlocks {
  readonly prose: string;
  readonly bodies: readonly string[];
}

/**
 * Blocks between two markers. Undefined if the text does not end with one, or the prose contains another. Reads the
 * text from its end, each part once.
 */
export function blocksBetween(
  text: string,
  { open, close }: { readonly open: string; readonly close: string },
): LastBlocks | undefined {
  const bodies: string[] = [];
  let start = text.length;
  while (bodies.length <= MAX_CALLS) {
    const block = blockBefore(text.slice(0, start).trimEnd(), { open, close }, bodies.length === 0);
    if (block === undefined) break;
    bodies.unshift(block.body);
    start = block.start;
  }
  const prose = text.slice(0, start);
  const isWhole = bodies.length > 0 && bodies.length <= MAX_CALLS && !prose.includes(open);
  return isWhole ? { prose, bodies } : undefined;
}

function blockBefore(
  text: string,
  { open, close }: { readonly open: string; readonly close: string },
  isLast: boolean,
): { readonly start: number; readonly body: string } | undefined {
  const isClosed = close !== '' && text.endsWith(close);
  const mayBeOpen = close === '' || isLast;
  if (!isClosed && !mayBeOpen) return undefined;
  const end = isClosed ? text.length - close.length : text.length;
  const start = end === 0 ? -1 : text.lastIndexOf(open, end - 1);
  if (start === -1) return undefined;
  const body = text.slice(start + open.length, end);
  return !isClosed && close !== '' && body.includes(close) ? undefined : { start, body };
}

const FENCE = /^[ \t]{0,3}```/;

/** Fenced blocks. The last may lack its end. */
export function fencedBlocks(text: string): LastBlocks | undefined {
  const lines = text.trimEnd().split('\n');
  const fences = lines.flatMap((line, at) => (FENCE.test(line) ? [at] : []));
  if (fences.length % 2 === 1) fences.push(lines.length);
  const bodies: string[] = [];
  let start = lines.length;
  while (fences.length > 0 && bodies.length <= MAX_CALLS) {
    const to = fences.pop() ?? 0;
    if (lines.slice(to + 1, start).some((line) => line.trim() !== '')) break;
    start = fences.pop() ?? 0;
    bodies.unshift(lines.slice(start + 1, to).join('\n'));
  }
  if (bodies.length === 0 || bodies.length > MAX_CALLS) return undefined;
  return { prose: lines.slice(0, start).join('\n'), bodies };
}
