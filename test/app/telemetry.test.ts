import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openContext } from '../../src/app/context/open-context.ts';
import { startRun } from '../../src/app/runs/start/start-run.ts';
import type { CapstanEvent } from '../../src/contract/event.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { sourceImports } from '../sources/source-imports.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: SentSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

interface Collector {
  readonly origin: string;
  readonly requests: { path: string; headers: IncomingHttpHeaders; body: Body }[];
  spans(): SentSpan[];
}

let person: Person;
let model: ModelServer;
let server: Server;
/** Undefined: the collector never answers. */
let status: number | undefined;
let collector: Collector;
beforeEach(async () => {
  person = temporaryPerson();
  person.writeProject('notes.md', 'one\n');
  status = 200;
  const requests: Collector['requests'] = [];
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      const { url = '', headers } = request;
      requests.push({ path: url, headers, body: JSON.parse(text) });
      if (status !== undefined) response.writeHead(status).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  collector = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => requests.flatMap(({ body }) => body.resourceSpans[0]?.scopeSpans[0]?.spans ?? []),
  };
  model = await startModelServer({
    vendor: 'openai',
    script: ({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'It says one.' } }] }
        : { tool_calls: [{ name: 'file_io', args: { operation: 'read', path: 'notes.md' } }] },
  });
});
afterEach(async () => {
  server.closeAllConnections();
  await Promise.all([model.close(), new Promise((resolve) => server.close(resolve))]);
  person.remove();
});

interface Done {
  readonly runId: string;
  readonly status: string;
  readonly events: readonly CapstanEvent[];
  /** Time to close, in milliseconds. */
  readonly closeMs: number;
}

async function run(variables: NodeJS.ProcessEnv): Promise<Done> {
  const env = {
    ...person.environment,
    CAPSTAN_PROVIDER: 'openai',
    CAPSTAN_BASE_URL: model.baseUrl,
    CAPSTAN_MODEL_BALANCED: model.model,
    ...variables,
  };
  const context = await openContext({ env, cwd: person.project });
  const events: CapstanEvent[] = [];
  context.events.listen((event) => void events.push(event));
  const task = 'What does notes.md say?';
  const { id, finished } = await startRun(context, { task, capsule: 'file-clerk' });
  await finished;
  const ended = events.find((event) => event.type === 'run.ended');
  const startedMs = performance.now();
  await context.close();
  return { runId: id, status: ended?.status ?? '', events, closeMs: performance.now() - startedMs };
}

const on = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.origin}/otel/` });

const attributesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

function spanNamed(name: string): SentSpan {
  const found = collector.spans().find((span) => span.name === name);
  if (!found) throw new Error(`${name} is not among ${collector.spans().map((one) => one.name)}`);
  return found;
}

describe('traces', () => {
  it('have a span for the run, the attempt, each call of the model and of a tool', async () => {
    const { runId, status: ended } = await run(on());
    expect(ended).toBe('completed');
    expect(collector.requests.map(({ path }) => path)).toContain('/otel/v1/traces');
    const root = spanNamed('invoke_workflow capstan');
    const agent = spanNamed('invoke_agent file-clerk');
    const tool = spanNamed('execute_tool file_io');
    const chats = collector.spans().filter(({ name }) => name === `chat ${model.model}`);
    expect(new Set(collector.spans().map(({ traceId }) => traceId))).toEqual(
      new Set([runId.replaceAll('-', '')]),
    );
    const ids = collector.spans().map(({ spanId }) => spanId);
    expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(root.parentSpanId).toBeUndefined();
    expect(agent.parentSpanId).toBe(root.spanId);
    expect(tool.parentSpanId).toBe(agent.spanId);
    const inAgent = chats.filter(({ parentSpanId }) => parentSpanId === agent.spanId);
    expect(inAgent).toHaveLength(2);
    expect([root.kind, agent.kind, tool.kind, inAgent[0]?.kind]).toEqual([1, 1, 1, 3]);
    for (const span of collector.spans()) {
      const [start, end] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
      expect(start <= end).toBe(true);
      expect(BigInt(root.startTimeUnixNano) <= start).toBe(true);
      expect(end <= BigInt(root.endTimeUnixNano)).toBe(true);
      expect(span.status).toEqual({});
    }
    expect(attributesOf(root)).toMatchObject({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.conversation.id': expect.stringMatching(/./),
      'capstan.run.id': runId,
      'capstan.run.status': 'completed',
    });
    expect(attributesOf(agent)).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': 'file-clerk',
      'capstan.attempt': '1',
    });
    expect(attributesOf(tool)).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'file_io',
      'capstan.operation': 'file_io.read',
    });
    expect(attributesOf(inAgent[0] as SentSpan)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': model.model,
      'gen_ai.usage.input_tokens': expect.stringMatching(/^\d+$/),
      'gen_ai.usage.cache_read.input_tokens': '0',
      'server.address': '127.0.0.1',
    });
  });

  it('have no text of the task, the messages and the files, unless the person wants that', async () => {
    await run(on());
    expect(JSON.stringify(collector.spans())).not.toMatch(/notes\.md|says one/);
    collector.requests.length = 0;
    await run({ ...on(), OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' });
    expect(attributesOf(spanNamed('execute_tool file_io'))).toMatchObject({
      'gen_ai.tool.call.arguments': expect.stringContaining('notes.md'),
      'gen_ai.tool.call.result': expect.stringContaining('one'),
    });
    const chat = attributesOf(spanNamed(`chat ${model.model}`));
    expect(JSON.parse(String(chat['gen_ai.input.messages']))[0]).toMatchObject({
      role: 'user',
      parts: [{ type: 'text' }],
    });
    expect(chat).toMatchObject({
      'gen_ai.system_instructions': expect.stringContaining('"type":"text"'),
      'gen_ai.output.messages': expect.stringContaining('tool_call'),
    });
  });

  it('name the service, and carry the headers, which are secrets everywhere else', async () => {
    const secret = 'collector-key-0123456789abcdef';
    const { events } = await run({
      ...on(),
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${secret},x-team=blue`,
      OTEL_SERVICE_NAME: 'night-shift',
      OTEL_RESOURCE_ATTRIBUTES: 'team=a%20b,service.name=other',
      ...{ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' },
    });
    const [first] = collector.requests;
    expect(first?.headers).toMatchObject({ authorization: `Bearer ${secret}`, 'x-team': 'blue' });
    expect(first?.body.resourceSpans[0]?.resource.attributes).toEqual(
      expect.arrayContaining([
        { key: 'service.name', value: { stringValue: 'night-shift' } },
        { key: 'team', value: { stringValue: 'a b' } },
      ]),
    );
    expect(JSON.stringify([events, collector.requests.map(({ body }) => body)])).not.toContain(
      secret,
    );
  });

  it('of a failed call have an error type', async () => {
    person.writeProject('empty.txt', '');
    await model.close();
    const { status: ended } = await run({ ...on(), CAPSTAN_MODEL_RETRY_SEC: '0' });
    expect(ended).not.toBe('completed');
    const failed = collector.spans().filter((span) => span.status.code === 2);
    expect(failed.map(({ name }) => name)).toContain(`chat ${model.model}`);
    expect(failed.every((span) => 'error.type' in attributesOf(span))).toBe(true);
  });

  it.each([
    ['never answers', undefined, []],
    ['refuses them', 500, [expect.stringMatching(/^Traces are not sent: .* answered 500\.$/)]],
  ])('never fail a run, nor delay its end, if the collector %s', async (_what, answer, told) => {
    status = answer;
    const { status: ended, closeMs, events } = await run(on());
    expect(ended).toBe('completed');
    const texts = events.flatMap((event) => (event.type === 'run.noticed' ? event.text : []));
    expect(texts.filter((text) => /Traces/.test(text))).toEqual(told);
    expect(closeMs).toBeLessThan(3_000);
  });

  it.each([
    ['no endpoint', {}, undefined],
    ['a switch', { OTEL_SDK_DISABLED: 'true' }, undefined],
    ['a protocol that is not sent', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /grpc/],
    ['an invalid address', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://x' }, /http or https/],
    ['an invalid header', { OTEL_EXPORTER_OTLP_HEADERS: 'a b=hidden-value' }, /"a b"/],
  ])(
    'are not sent with %s, which a notice explains if it is a mistake',
    async (what, more, words) => {
      const { status: ended, events } = await run({
        ...(what === 'no endpoint' ? {} : on()),
        ...more,
      });
      expect([ended, collector.requests]).toEqual(['completed', []]);
      const notices = events.flatMap((event) => (event.type === 'run.noticed' ? event.text : []));
      const told = notices.filter((text) => /Traces/.test(text));
      expect(told).toHaveLength(words ? 1 : 0);
      if (words) expect(told[0]).toMatch(words);
      expect(JSON.stringify(events)).not.toContain('hidden-value');
    },
  );

  it('load no module unless an endpoint is set', () => {
    const imports = sourceImports(join(import.meta.dirname, '../../src'));
    const isTelemetry = (path: string) => /^telemetry\/|send-traces/.test(path);
    const fixed = imports.filter(
      ({ from, to, kind }) => kind === 'static' && isTelemetry(to) && !isTelemetry(from),
    );
    expect(fixed).toEqual([]);
  });
});
