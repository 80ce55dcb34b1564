import { parseJson } from '../../platform/text/parse-json.ts';
import type { ModelRequest } from '../provider.ts';

type Wanted = NonNullable<ModelRequest['response']>;
type Schema = Record<string, unknown>;

/** Asks for one JSON document in the prompt, if the vendor has no better way. */
export const documentInstruction = ({ name, schema }: Wanted): string =>
  `Answer with one JSON document named "${name}" and nothing else: no prose around it, no code fence. It matches this JSON Schema:\n${JSON.stringify(schema)}`;

/** The schema with the document's name as title, without keywords that only validators need. */
export function titledSchema({ name, schema }: Wanted): Schema {
  const { $schema: _, ...rest } = schema;
  return { title: name, ...rest };
}

/** The JSON document in a model's text, without surrounding fences and prose; undefined if there is none. */
export function documentIn(text: string): string | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?```/.exec(text)?.[1];
  const span = (first: number, last: number) =>
    first === -1 ? undefined : text.slice(first, last + 1);
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')];
  const candidates = [
    text,
    fenced,
    span(text.search(/[{[]/), Math.max(last, text.lastIndexOf(']'))),
    // Prose around an object may contain brackets: `As asked in [1]: {…}`.
    span(first, last),
  ];
  return candidates.map((candidate) => candidate?.trim()).find(isDocument);
}

const isDocument = (text: string | undefined): text is string =>
  text !== undefined && typeof (parseJson(text) ?? undefined) === 'object';

const strictKeywords = new Set(
  'type properties required additionalProperties items enum const anyOf $ref $defs title description'.split(
    ' ',
  ),
);

/** Whether OpenAI's strict mode accepts the schema: every object closed, every property required, no other keywords. */
export function isStrictSchema(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false;
  const { $schema: _, ...node } = schema as Schema;
  if (Object.keys(node).some((key) => !strictKeywords.has(key))) return false;
  if (node['type'] === 'object' && !isClosedObject(node)) return false;
  return childrenOf(node).every(isStrictSchema);
}

function isClosedObject(node: Schema): boolean {
  const required = new Set(Array.isArray(node['required']) ? node['required'] : []);
  return (
    node['additionalProperties'] === false &&
    Object.keys((node['properties'] as Schema | undefined) ?? {}).every((key) => required.has(key))
  );
}

function childrenOf(node: Schema): unknown[] {
  const named = [node['properties'], node['$defs']].flatMap((group) =>
    typeof group === 'object' && group !== null ? Object.values(group) : [],
  );
  const listed = Array.isArray(node['anyOf']) ? node['anyOf'] : [];
  const items = node['items'] === undefined ? [] : [node['items']];
  return [...named, ...listed, ...items];
}
