import * as z from 'zod';
import type { Capstan } from '../../app/open-capstan.ts';
import type { Hosting } from '../../app/serving/serving-api.ts';

export const ById = z.object({ id: z.string().min(1).max(200) });

/** The dependencies of a route's handler. */
export interface RouteContext {
  readonly capstan: Capstan;
  readonly hosting: Hosting;
}

export interface RouteInput<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The header `idempotency-key`. */
  readonly key: string | undefined;
}

/** A file as an answer. */
export class FileAnswer {
  readonly name: string;
  readonly type: string;
  readonly content: string | Buffer;

  constructor(name: string, type: string, content: string | Buffer) {
    this.name = name;
    this.type = type;
    this.content = content;
  }
}

/** One route of the API as data. The router and the OpenAPI document are built from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, with parameters as `:id`. */
  readonly path: string;
  readonly summary: string;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
  /** Undefined: a file. */
  readonly answer: z.ZodType | undefined;
  readonly status: 200 | 202;
  handle(context: RouteContext, input: RouteInput<unknown, unknown, unknown>): Promise<unknown>;
}

interface Definition<P extends z.ZodType, Q extends z.ZodObject, B extends z.ZodType> {
  readonly summary: string;
  /** Default: the id, if there is one in the path. */
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer?: z.ZodType;
  /** Default: 200. */
  readonly status?: 200 | 202;
  handle(
    context: RouteContext,
    input: RouteInput<z.output<P>, z.output<Q>, z.output<B>>,
  ): Promise<unknown>;
}

/** @param at Method and path: `GET /runs/:id`. */
export function route<
  Q extends z.ZodObject,
  B extends z.ZodType,
  P extends z.ZodType = typeof ById,
>(at: `${Route['method']} /${string}`, definition: Definition<P, Q, B>): Route {
  const [method, path = ''] = at.split(' ') as [Route['method'], string];
  const id = path.includes('/:id') ? ById : undefined;
  const { summary, params = id, query, body, answer, status = 200, handle } = definition;
  return {
    ...{ method, path, summary, params, query, body, answer, status },
    handle: handle as Route['handle'],
  };
}
