import { afterEach, describe, expect, it } from 'vitest';
import { startModelServer } from '../../../test/model-server/model-server.ts';
import type { ScriptedAnswer, Vendor } from '../../../test/model-server/script.ts';
import type { ModelRequest } from '../provider.ts';
import { openProvider } from '../providers.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const request: ModelRequest = { messages: [{ role: 'user', content: 'Go.' }], hint: 'balanced' };

/** The text of the answer, or what was thrown. */
async function ask(vendor: Vendor, answer: ScriptedAnswer): Promise<unknown> {
  const server = await startModelServer({ vendor, script: () => answer });
  const provider = await openProvider(vendor, {
    keys: { [vendor]: 'the-key-0123456789' },
    baseUrl: server.baseUrl,
    models: { balanced: 'm' },
  });
  opened.push(
    () => server.close(),
    () => provider.close(),
  );
  return provider.chat(request, new AbortController().signal).then(
    ({ response }) => response.text,
    (error: unknown) => error,
  );
}

const body = (document: unknown): ScriptedAnswer => ({ status: 200, body: document });
const refusal = (status: number, document: unknown): ScriptedAnswer => ({ status, body: document });
const stream = (text: string): ScriptedAnswer => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: text,
});
const page = (status: number): ScriptedAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><head><title>502 Bad Gateway</title><style>a{}</style></head><body><center><h1>Try later</h1></center></body></html>',
});
/** An error of OpenRouter about the vendor that it called. */
const behind = (status: number, metadata: object, code = status): ScriptedAnswer =>
  refusal(status, { error: { message: 'Provider returned error', code, metadata } });
const raw = JSON.stringify({ error: { code: 429, message: 'Quota of the upstream is used up' } });
const notValid = 'API key not valid. Please pass a valid API key.';
const noCredits = "Your newly created team doesn't have any credits yet.";

describe('the real reason of a failure', () => {
  it.each([
    [
      behind(429, { raw, provider_name: 'Google' }),
      'rate_limit',
      /error: Quota of the upstream is used up \(Google\)$/,
    ],
    [behind(400, { raw: 'the tool name is wrong' }), 'bad_request', /the tool name is wrong/],
    [behind(400, { raw: { detail: 'deep inside' } }), 'bad_request', /deep inside/],
    [behind(403, { reasons: ['violence', 'hate'] }), 'auth', /error: violence, hate/],
    [behind(200, { raw: 'upstream down' }, 502), 'server', /upstream down/],
    [
      body({ choices: [{ error: { code: 503, message: 'it is away' }, message: {} }] }),
      'overloaded',
      /it is away/,
    ],
    [
      body({ object: 'error', message: 'no such template', code: 400 }),
      'bad_request',
      /no such template/,
    ],
    [body({ success: false, errors: [{ code: 7003, message: 'no route' }] }), 'server', /no route/],
    [body({ base_resp: { status_code: 1004, status_msg: 'login fail' } }), 'server', /login fail/],
    [
      body({ error: { type: 'invalid_request_error', message: 'bad field', param: 'tools' } }),
      'bad_request',
      /bad field \(tools\)/,
    ],
    [
      refusal(401, { detail: 'Invalid API Key' }),
      'auth',
      /rejected the API key \(401\): Invalid API Key\. Check OPENAI_API_KEY\./,
    ],
    [refusal(401, { error: { message: 'Your account was disabled.' } }), 'auth', /disabled/],
    [
      refusal(422, { detail: [{ loc: ['body', 'messages'], msg: 'field required' }] }),
      'bad_request',
      /field required \(body\.messages\)/,
    ],
    [
      refusal(400, { message: 'Input should be a list', type: 'invalid_request_error' }),
      'bad_request',
      /should be a list/,
    ],
    [refusal(403, { error: noCredits, code: 'permission-denied' }), 'quota', /credits/],
    [page(502), 'server', /502 Bad Gateway: Try later$/],
    [page(200), 'malformed', /web page \("502 Bad Gateway: Try later"\): check the base URL/],
    [{ status: 200, body: '' }, 'malformed', /it is empty/],
    [{ status: 200, body: 'upstream connect error' }, 'malformed', /upstream connect error/],
    [stream('event: error\ndata: Internal Server Error\n\n'), 'malformed', /Internal Server Error/],
    [
      stream('data: {"choices":[]}\n\ndata: {"error":{"message":"the worker died"}}\n\n'),
      'server',
      /the worker died/,
    ],
  ] as const)(
    'of an OpenAI-compatible server that answers %j is %s',
    async (answer, problem, reason) => {
      expect(await ask('openai', answer)).toMatchObject({
        problem,
        message: expect.stringMatching(reason),
      });
    },
  );

  it.each([
    '<!DOCTYPE html><title>Sign in</title>',
    '<!-- portal --><p>Sign in</p>',
    '<script>go()</script>Sign in',
    '<div>Sign in</div>',
    'Sign in',
  ])('that is a web page costs nothing and is not requested again: %s', async (text) => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    expect(await ask('openai', { status: 200, headers, body: text })).toMatchObject({
      ...{
        problem: 'malformed',
        message: expect.stringMatching(/Sign in"\): check the base URL/),
      },
      retryable: false,
      usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 },
    });
  });

  it.each(['{"choices":[{"mess', ''])(
    'is an answer that may have been paid for if it is cut off, also one sent as a web page: "%s"',
    async (text) => {
      const headers = { 'content-type': 'text/html' };
      const error = await ask('openai', { status: 200, headers, body: text });
      expect(error).toMatchObject({ problem: 'malformed', retryable: true, usage: undefined });
    },
  );

  it.each([
    [
      'gemini',
      refusal(400, { error: { code: 400, message: notValid, status: 'INVALID_ARGUMENT' } }),
      'auth',
      /not valid.*Check GEMINI_API_KEY/,
    ],
    [
      'gemini',
      body([{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }]),
      'overloaded',
      /The model is overloaded/,
    ],
    [
      'gemini',
      body({
        candidates: [
          { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed: print(' },
        ],
      }),
      'malformed',
      /print\(/,
    ],
    [
      'anthropic',
      refusal(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      'overloaded',
      /Overloaded/,
    ],
    [
      'anthropic',
      body({ type: 'error', error: { type: 'api_error', message: 'Internal server error' } }),
      'server',
      /Internal server error/,
    ],
    [
      'ollama',
      refusal(500, { error: 'model requires more system memory' }),
      'server',
      /more system memory/,
    ],
  ] as const)('of %s that answers %j is %s', async (vendor, answer, problem, reason) => {
    expect(await ask(vendor, answer)).toMatchObject({
      problem,
      message: expect.stringMatching(reason),
    });
  });

  it.each([null, '', {}, false])('is not taken from an answer whose error is %j', async (error) => {
    const choices = [{ finish_reason: 'stop', message: { content: 'hi' } }];
    expect(await ask('openai', body({ error, choices }))).toBe('hi');
  });
});
