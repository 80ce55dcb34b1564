import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { readRequest } from './read-request.ts';
import type { Script, ScriptedAnswer, ScriptedReply, ScriptedRequest, Vendor } from './script.ts';
import { completeReply, type FullReply, writeAnswer } from './write-answer.ts';

/** A request as it came. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; undefined if there was none. */
  readonly body: unknown;
  /** In the product's own format; undefined for anything but a chat. */
  readonly view: ScriptedRequest | undefined;
}

export interface ModelServer {
  readonly vendor: Vendor;
  readonly origin: string;
  /** For `CAPSTAN_BASE_URL` and the provider's `baseUrl`. */
  readonly baseUrl: string;
  /** The one model that it lists. */
  readonly model: string;
  /** Every request, the oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The chats among them. */
  readonly chats: readonly ScriptedRequest[];
  /** How many connections were opened. */
  readonly connections: () => number;
  close(): Promise<void>;
}

const servedModel = 'scripted-model';

/** A language model of one vendor on loopback whose answers are a function: each vendor's real wire format, no network. */
export async function startModelServer(options: {
  readonly vendor: Vendor;
  readonly script: Script;
  /** Default: any free one. */
  readonly port?: number;
  /** Default true. False leaves `requests` and `chats` empty: for many requests in one process. */
  readonly isRecording?: boolean;
  /** The listed models, also if the list would be empty. Default: one, of OpenAI and Ollama. */
  readonly models?: readonly string[];
  /** The only accepted key. Default: any. */
  readonly key?: string;
}): Promise<ModelServer> {
  const { vendor, script, isRecording = true } = options;
  const requests: RecordedRequest[] = [];
  let connections = 0;
  let chatCount = 0;

  const answer = async (
    request: { method: string; path: string; headers: IncomingHttpHeaders; text: string },
    response: ServerResponse,
  ) => {
    const { method, path, headers } = request;
    const body = request.text === '' ? undefined : JSON.parse(request.text);
    const listed = listOf(vendor, path, options.models);
    const isChat = method === 'POST' && chatPaths[vendor].test(path);
    const view = isChat
      ? { vendor, index: chatCount++, ...readRequest(vendor, path, body) }
      : undefined;
    if (isRecording) requests.push({ method, path, headers, body, view });
    if (view !== undefined)
      return perform(await script(view), view, streamWanted(path, body), response);
    if (method === 'GET' && listed !== undefined) return sendJson(response, 200, listed);
    return sendJson(response, 404, errorBody(vendor, 404, `${method} ${path} is not served.`));
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { method = '', url: path = '', headers } = request;
      if (isRefused(options.key, headers))
        return sendJson(response, 401, errorBody(vendor, 401, 'invalid x-api-key'));
      answer({ method, path, headers, text }, response).catch((error: Error) =>
        sendJson(response, 400, errorBody(vendor, 400, error.message)),
      );
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    vendor,
    origin,
    baseUrl: vendor === 'openai' ? `${origin}/v1` : origin,
    model: servedModel,
    requests,
    get chats() {
      return requests.flatMap(({ view }) => view ?? []);
    },
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const chatPaths: Record<Vendor, RegExp> = {
  openai: /^\/v1\/chat\/completions$/,
  anthropic: /^\/v1\/messages$/,
  gemini: /^\/v1beta\/models\/[^/]+:(generateContent|streamGenerateContent\?alt=sse)$/,
  ollama: /^\/api\/chat$/,
};

const lists: Record<Vendor, (path: string) => unknown> = {
  openai: (path) =>
    path === '/v1/models' ? { object: 'list', data: [{ id: servedModel }] } : undefined,
  anthropic: () => undefined,
  gemini: () => undefined,
  ollama: (path) => {
    if (path === '/api/version') return { version: '0.12.0' };
    return path === '/api/tags' ? { models: [{ name: servedModel }] } : undefined;
  },
};

const isRefused = (key: string | undefined, headers: IncomingHttpHeaders): boolean =>
  key !== undefined && !JSON.stringify(headers).includes(key);

function listOf(vendor: Vendor, path: string, models: readonly string[] | undefined): unknown {
  if (!models || !/^\/(v1|v1beta|api)\/(models|tags)(\?|$)/.test(path)) return lists[vendor](path);
  if (vendor === 'openai' || vendor === 'anthropic') return { data: models.map((id) => ({ id })) };
  return { models: models.map((name) => ({ name })) };
}

const streamWanted = (path: string, body: { stream?: boolean }): boolean =>
  path.includes('streamGenerateContent') || body.stream === true;

async function perform(
  answer: ScriptedAnswer,
  request: ScriptedRequest,
  stream: boolean,
  response: ServerResponse,
): Promise<void> {
  if ('broken' in answer) {
    if (answer.broken === 'reset') response.destroy();
    return;
  }
  if (answer.delayMs !== undefined) await pause(answer.delayMs);
  if ('status' in answer) {
    const isText = typeof answer.body === 'string';
    response.writeHead(answer.status, {
      'content-type': isText ? 'text/plain' : 'application/json',
      ...answer.headers,
    });
    response.end(isText ? answer.body : JSON.stringify(answer.body));
    return;
  }
  const reply = replyOf(answer, request);
  const wire = writeAnswer(request.vendor, reply, ('stream' in answer && answer.stream) || stream);
  response.writeHead(200, { 'content-type': wire.contentType });
  response.end(wire.body);
}

function replyOf(
  answer: ScriptedReply | { readonly json: unknown; readonly usage?: ScriptedReply['usage'] },
  request: ScriptedRequest,
): FullReply {
  if (!('json' in answer)) return completeReply(answer, request);
  const text = JSON.stringify(answer.json);
  const usage = answer.usage === undefined ? {} : { usage: answer.usage };
  return completeReply({ text, ...usage }, request, request.responseName);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** An error the way the vendor writes errors. */
export function errorBody(vendor: Vendor, status: number, message: string): unknown {
  if (vendor === 'anthropic') {
    return { type: 'error', error: { type: 'invalid_request_error', message } };
  }
  if (vendor === 'gemini') return { error: { code: status, message, status: 'INVALID_ARGUMENT' } };
  if (vendor === 'ollama') return { error: message };
  return { error: { message, type: 'invalid_request_error', param: null, code: null } };
}
