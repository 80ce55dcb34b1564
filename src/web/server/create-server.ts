import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Capstan } from '../../app/open-capstan.ts';
import type { Hosting } from '../../app/serving/serving-api.ts';
import { usage } from '../../contract/usage.ts';
import { EventNumber, LinkCode, openApi, otherOperations } from '../api/openapi.ts';
import { FileAnswer, type Route } from '../api/route.ts';
import { routes } from '../api/routes.ts';
import {
  createEverythingStream,
  HEARTBEAT_MS,
  openEventStream,
  sendRun,
} from '../stream/event-stream.ts';
import { createRateLimit, refusalOf, tokenOf } from './guard.ts';
import { type PageFile, pageFileAt, pageHeaders } from './page-files.ts';
import { type Problem, problem, problemOf } from './problem.ts';

export interface ServerParts {
  readonly capstan: Capstan;
  readonly hosting: Hosting;
  readonly files: ReadonlyMap<string, PageFile>;
  /** `127.0.0.1:7717`, known when it listens. */
  host(): string;
  isToken(token: string): boolean;
  exchange(code: string): string | undefined;
  /** A failure that is not reported to a client. */
  readonly onProblem: (error: unknown) => void;
}

const API = '/api/v1';
const MAX_BODY = 1024 * 1024;
const MAX_STREAMS = 500;

/** Routes that answer without a token: they tell nothing about anybody. */
export const openRoutes: ReadonlySet<string> = new Set([
  'GET /healthz',
  'GET /readyz',
  `POST ${API}/session`,
  'GET *',
]);

/** The server with all of its routes; it does not listen yet. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const [{ fastify }, { fastifySSE }] = await Promise.all([
    import('fastify'),
    import('@fastify/sse'),
  ]);
  const server = fastify({
    ...{ logger: false, bodyLimit: MAX_BODY, requestTimeout: 15_000, keepAliveTimeout: 30_000 },
    ...{ exposeHeadRoutes: false, forceCloseConnections: true, trustProxy: false },
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000 },
    routerOptions: { maxParamLength: 300 },
  });
  await server.register(fastifySSE, { heartbeatInterval: HEARTBEAT_MS });
  guard(server, parts);
  server.setErrorHandler((error, _request, reply) => {
    const found = problemOf(error);
    if (found.status >= 500) parts.onProblem(error);
    return sendProblem(reply, found);
  });
  server.setNotFoundHandler(refuseAddress);
  addOpenRoutes(server, parts);
  const everything = createEverythingStream(parts.capstan, parts.onProblem);
  for (const one of routes) addRoute(server, one, { ...parts, everything });
  server.get(`${API}/openapi.json`, () => openApi([...routes, ...otherOperations]));
  addStreams(server, { ...parts, everything });
  return server;
}

const addresses = [...routes, ...otherOperations].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${API}${path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
}));

/** Refuses an address that does not exist, or that has other methods only. */
function refuseAddress({ method, url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ''] = url.split('?');
  const methods = addresses.flatMap((one) => (one.pattern.test(path) ? [one.method] : []));
  if (methods.length === 0)
    return sendProblem(reply, problem(404, 'NOT_FOUND', 'There is no such address.'));
  const allow = methods.join(', ');
  const detail = `This address has no ${method}. It has ${allow}.`;
  return sendProblem(reply.header('allow', allow), problem(405, 'METHOD', detail));
}

/** @throws AppError `USAGE` for a parameter that the address does not have. */
function queryOf({ query }: Route, given: object): unknown {
  const names = Object.keys(query?.shape ?? {});
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return query?.parse(given);
  const known = names.length > 0 ? `It has ${names.join(', ')}` : 'It has none';
  throw usage(`This address has no parameter ${JSON.stringify(unknown)}. ${known}.`, unknown);
}

const sendProblem = (reply: FastifyReply, found: Problem) =>
  reply.code(found.status).type('application/problem+json').send(found);

/** Of every answer. */
const everyHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Refuses what is not from this page or a program with a token, and too much of it. */
function guard(server: FastifyInstance, { host, isToken }: ServerParts): void {
  const limits = {
    open: createRateLimit({ burst: 2_000, perSecond: 1_000 }),
    known: createRateLimit({ burst: 2_000, perSecond: 1_000 }),
    unknown: createRateLimit({ burst: 200, perSecond: 50 }),
  };
  const exchanges = createRateLimit({ burst: 10, perSecond: 0.5 });
  /** An open route answers without looking a token up. */
  const accessOf = (request: FastifyRequest): keyof typeof limits => {
    if (openRoutes.has(nameOf(request))) return 'open';
    const token = tokenOf(request.raw);
    return token !== undefined && isToken(token) ? 'known' : 'unknown';
  };
  // With a callback, which is faster than a promise.
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyHeaders);
    const access = accessOf(request);
    const refusal = refusalOf(request.raw, { host: host(), isAllowed: access !== 'unknown' });
    // The only open route with a body.
    const isExchange = !refusal && access === 'open' && request.method === 'POST';
    const isTooMuch = !limits[access]() || (isExchange && !exchanges());
    const found = isTooMuch
      ? problem(429, 'TOO_MANY', 'Too many requests. Try again in a few seconds.')
      : refusal;
    if (found) sendProblem(reply, found);
    else done();
  });
}

const nameOf = ({ method, routeOptions }: FastifyRequest): string =>
  `${method} ${routeOptions.url ?? ''}`;

function addOpenRoutes(server: FastifyInstance, { capstan, files, exchange }: ServerParts): void {
  server.get('/healthz', () => ({ ok: true }));
  server.get('/readyz', async () => {
    await capstan.runs.list({ limit: 1 });
    return { ok: true };
  });
  server.post(`${API}/session`, (request, reply) => {
    const token = exchange(LinkCode.parse(request.body).code);
    if (token !== undefined) return { token };
    const detail = 'The code was used already, or is older than ten minutes. Open a new link.';
    return sendProblem(reply, problem(401, 'CODE', detail));
  });
  server.get('*', (request, reply) => {
    const address = request.url.split('?')[0] ?? '';
    const file = pageFileAt(files, address);
    const page = files.get('/index.html');
    // A browser gets the page, which says that there is no such address and shows the way back.
    if (!file && page && isVisit(request.headers.accept, address))
      return sendFile(reply.code(404), page, 'no-cache');
    if (!file) return refuseAddress(request, reply);
    const kept = file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
    return sendFile(reply, file, kept);
  });
}

const sendFile = (reply: FastifyReply, { type, content }: PageFile, cacheControl: string) =>
  reply.headers(pageHeaders).header('cache-control', cacheControl).type(type).send(content);

const isVisit = (accept: string | undefined, address: string): boolean =>
  accept?.includes('text/html') === true && !address.startsWith('/api/');

interface RouteParts extends ServerParts {
  readonly everything: ReturnType<typeof createEverythingStream>;
}

/** Whether the list of capsules is another one after the request. */
const changesCapsules = ({ method, path }: Route): boolean =>
  method !== 'GET' && path.startsWith('/capsules') && !/\/(?:prompt|cases|propose)$/.test(path);

function addRoute(server: FastifyInstance, one: Route, parts: RouteParts): void {
  const { capstan, hosting, everything } = parts;
  server.route({
    method: one.method,
    url: `${API}${one.path}`,
    async handler(request, reply) {
      const key = request.headers['idempotency-key'];
      const answer = await one.handle(
        { capstan, hosting },
        {
          params: one.params?.parse(request.params),
          query: queryOf(one, request.query as object),
          body: one.body?.parse(request.body ?? (one.method === 'POST' ? {} : undefined)),
          key: typeof key === 'string' ? key : undefined,
        },
      );
      if (changesCapsules(one)) everything.tell('capsules');
      if (!(answer instanceof FileAnswer)) {
        return reply.code(one.status).send(asDescribed(one, answer));
      }
      const name = encodeURIComponent(answer.name);
      return reply
        .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
        .type(answer.type)
        .send(answer.content);
    },
  });
}

/** An answer with exactly the fields of its schema. @throws Error if one is missing: a mistake of the server. */
function asDescribed({ answer: schema, method, path }: Route, answer: unknown): unknown {
  const found = schema?.safeParse(answer);
  if (found === undefined || found.success) return found?.data;
  throw new Error(`${method} ${path} answers otherwise than described: ${found.error.message}`);
}

function addStreams(server: FastifyInstance, parts: RouteParts): void {
  const { capstan, isToken, onProblem, everything } = parts;
  let open = 0;
  const openFor = (request: FastifyRequest, reply: FastifyReply) => {
    if (open >= MAX_STREAMS) {
      void sendProblem(reply, problem(429, 'TOO_MANY', `${MAX_STREAMS} streams are open.`));
      return undefined;
    }
    open += 1;
    const token = (request.headers.authorization ?? '').slice('Bearer '.length);
    const stream = openEventStream(reply, { mayContinue: () => isToken(token) });
    stream.closed.addEventListener('abort', () => {
      open -= 1;
    });
    return stream;
  };
  const afterIn = ({ headers, query }: FastifyRequest) =>
    EventNumber.parse(headers['last-event-id'] ?? (query as { after?: string }).after);
  const drop = (reply: FastifyReply) => (error: unknown) => {
    onProblem(error);
    reply.raw.destroy();
  };
  server.get<{ Querystring: { run?: string } }>(
    `${API}/stream`,
    { sse: 'only' },
    async (request, reply) => {
      const after = afterIn(request);
      const stream = openFor(request, reply);
      if (!stream) return;
      await everything.join(stream).catch(onProblem);
      const { run: id } = request.query;
      // A run that was deleted has no events.
      const run =
        id === undefined
          ? id
          : await capstan.runs.get(id).then(
              ({ run }) => run,
              () => undefined,
            );
      if (run) await sendRun(capstan, stream, { id: run.id, after }).catch(drop(reply));
    },
  );
  server.get<{ Params: { id: string } }>(
    `${API}/runs/:id/events`,
    { sse: 'only' },
    async (request, reply) => {
      const after = afterIn(request);
      const { run } = await capstan.runs.get(request.params.id);
      const stream = openFor(request, reply);
      if (!stream) return;
      await sendRun(capstan, stream, { id: run.id, after }).catch(drop(reply));
      stream.end();
    },
  );
}
