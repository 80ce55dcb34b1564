import * as z from 'zod';
import { ownVersion } from '../../app/own-process.ts';
import type { Route } from './route.ts';

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
    info: { title: 'Capstan', version: ownVersion() },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
}
