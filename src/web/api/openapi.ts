import * as z from 'zod';
import { packageVersion } from '../../app/own-process.ts';
import type { Route } from './route.ts';
import { ById } from './route.ts';

type Json = Record<string, unknown>;

/** A method of an address, as the document describes it. */
export interface Operation
  extends Partial<Pick<Route, 'params' | 'query' | 'body' | 'answer' | 'status'>> {
  readonly method: Route['method'];
  readonly path: string;
  readonly summary: string;
  /** Of an answer without a schema. Default: `application/octet-stream`. */
  readonly type?: string;
  /** Answers without a token. Default: false. */
  readonly isOpen?: boolean;
}

/** Without `$schema`, which a part of a document does not have. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    ...{ name, in: where, schema: one },
    required: where === 'path' || required.includes(name),
  }));
}

const problem = { description: 'A problem', content: { 'application/problem+json': {} } };

function operationOf(operation: Operation): Json {
  const { summary, params, query, body, answer, status = 200 } = operation;
  const content = answer
    ? { 'application/json': { schema: schemaOf(answer, 'output') } }
    : { [operation.type ?? 'application/octet-stream']: {} };
  return {
    summary,
    ...(operation.isOpen && { security: [] }),
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body && {
      requestBody: { content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    responses: { [status]: { description: summary, content }, default: problem },
  };
}

/** An OpenAPI 3.1 document. */
export function openApi(operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const one of operations) {
    const path = one.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: operationOf(one) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Capstan', version: packageVersion() },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
}

/** What POST /session takes. */
export const LinkCode = z.strictObject({ code: z.string().min(20).max(100) });

/** The number of the last event that a client has. */
export const EventNumber = z.coerce
  .number()
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .default(0)
  .describe('Also as the header `last-event-id`.');

const stream = 'text/event-stream';

/** The operations of the server besides its routes. */
export const otherOperations: readonly Operation[] = [
  {
    ...{ method: 'POST', path: '/session', isOpen: true },
    summary: 'The token for the code of a link, once, within ten minutes',
    body: LinkCode,
    answer: z.object({ token: z.string() }),
  },
  {
    ...{ method: 'GET', path: '/stream', type: stream },
    summary:
      'What changes: `run` with its id, `approvals`, `capsules`, and `overview` with its document; with `run`, also the events of that run',
    query: z.object({ run: z.string().optional(), after: EventNumber }),
  },
  {
    ...{ method: 'GET', path: '/runs/:id/events', type: stream },
    summary:
      'The numbered events of a run after a number, `delta` with pieces of answers, and `end`',
    params: ById,
    query: z.object({ after: EventNumber }),
  },
  {
    ...{ method: 'GET', path: '/openapi.json', type: 'application/json' },
    summary: 'This document',
  },
];
