import type { ToolDescription } from '../../../contract/chat.ts';
import { forms, trailers } from './forms.ts';
import { callsInJson, type GivenCall, givenCall, MAX_CALLS } from './given-call.ts';
import { isEchoed } from './is-echoed.ts';
import { isQuoted } from './is-quoted.ts';
import { blocksBetween, fencedBlocks, type LastBlocks } from './last-blocks.ts';
import { reactCall } from './react.ts';
import type { TypeOf } from './tagged-arguments.ts';

/** The calls in a text, and what the model wrote before them. */
export interface TextualCalls {
  readonly prose: string;
  readonly calls: readonly GivenCall[];
}

/**
 * Tool calls that a model wrote as text: the whole text, or the blocks that it ends with. Undefined if there are none, one
 * of them is not of an offered tool, they are an example in an answer, or they stand in what the model was given. Takes
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

/** In a fence there is JSON, or one of the other forms alone. */
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

/** Without the reasoning at its beginning. */
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
