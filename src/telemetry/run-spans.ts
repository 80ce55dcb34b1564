import { randomBytes } from 'node:crypto';
import type { CapstanEvent, EventOf } from '../contract/event.ts';
import { vendorFacts } from '../contract/vendors.ts';
import { sha256 } from '../platform/text/canonical-hash.ts';
import type { Attributes, Span } from './span.ts';

/** The content of an intent as attributes: messages, arguments, results. Only used if content is enabled. */
export type ContentOf = (intentId: string) => Attributes;

/** A span that has not ended, without the fields of its end. */
type OpenSpan = Omit<Span, 'endMs' | 'error'>;

interface OpenRun {
  readonly root: OpenSpan;
  /** By subtask id. */
  readonly attempts: Map<string, OpenSpan>;
  /** By intent id. */
  readonly calls: Map<string, OpenSpan>;
  server: Attributes;
}

/**
 * Converts events to spans: a run, the attempts of its subtasks, and their model and tool calls. The function returns the
 * spans that ended with an event.
 */
export function createRunSpans(contentOf: ContentOf | undefined) {
  const runs = new Map<string, OpenRun>();
  return (event: CapstanEvent): readonly Span[] => {
    if (event.type === 'run.started' || event.type === 'run.resumed')
      runs.set(event.run_id, openRun(event, contentOf !== undefined));
    const run = runs.get(event.run_id);
    if (run === undefined) return [];
    if (event.type === 'run.ended') runs.delete(event.run_id);
    return spansOf(run, event, contentOf);
  };
}

function openRun(
  event: EventOf<'run.started'> | EventOf<'run.resumed'>,
  withContent: boolean,
): OpenRun {
  const root: OpenSpan = {
    traceId: traceIdOf(event.run_id),
    spanId: newSpanId(),
    parentSpanId: undefined,
    name: 'invoke_workflow capstan',
    kind: 'internal',
    startMs: Date.parse(event.at),
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': 'capstan',
      'gen_ai.conversation.id': event.type === 'run.started' ? event.session_id : undefined,
      'gen_ai.input.messages': withContent
        ? JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: event.task }] }])
        : undefined,
      'capstan.run.id': event.run_id,
    },
  };
  return { root, attempts: new Map(), calls: new Map(), server: {} };
}

/** The trace of a run is the same in every process that continues it. */
const traceIdOf = (runId: string): string => {
  const digits = runId.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(digits) ? digits : hashOf(runId, 32);
};

const spanIdOf = (intentId: string): string => hashOf(intentId, 16);
const newSpanId = (): string => randomBytes(8).toString('hex');
const hashOf = (text: string, digits: number): string => sha256(text).slice(0, digits);

function spansOf(run: OpenRun, event: CapstanEvent, contentOf?: ContentOf): readonly Span[] {
  switch (event.type) {
    case 'provider.opened':
      run.server = serverOf(event.origin);
      return [];
    case 'subtask.started':
      return beginAttempt(run, event);
    case 'capsule.ended':
      return endAttempt(run, event.subtask_id, event.at, event.ok ? undefined : event.code);
    case 'tool.requested':
      run.calls.set(event.intent_id, toolSpan(run, event));
      return [];
    case 'model.requested':
      run.calls.set(event.intent_id, modelSpan(run, event));
      return [];
    case 'intent.denied':
      return endCall(run, event, { error: 'denied' });
    case 'tool.answered':
      return endCall(run, event, { error: event.ok ? undefined : OTHER }, contentOf);
    case 'model.answered':
      return endCall(run, event, modelEnd(event), contentOf);
    case 'run.ended':
      return endRun(run, event);
    default:
      return [];
  }
}

/** The value of `error.type` if there is no code. */
const OTHER = '_OTHER';

function beginAttempt(run: OpenRun, event: EventOf<'subtask.started'>): readonly Span[] {
  const { subtask_id: subtask, capsule_id: capsule, at } = event;
  const before = endAttempt(run, subtask, at, OTHER);
  const { traceId, spanId: parentSpanId, attributes } = run.root;
  run.attempts.set(subtask, {
    ...{ traceId, parentSpanId, spanId: newSpanId() },
    name: `invoke_agent ${capsule}`,
    kind: 'internal',
    startMs: Date.parse(at),
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': capsule,
      'gen_ai.agent.name': capsule,
      'gen_ai.conversation.id': attributes['gen_ai.conversation.id'],
      'capstan.subtask.id': subtask,
      'capstan.attempt': event.attempt,
    },
  });
  return before;
}

function endAttempt(
  { attempts }: OpenRun,
  subtask: string,
  at: string,
  code: string | null | undefined,
): readonly Span[] {
  const open = attempts.get(subtask);
  attempts.delete(subtask);
  return open ? [{ ...open, endMs: Date.parse(at), error: code === null ? OTHER : code }] : [];
}

type AboutCall = Pick<EventOf<'tool.requested'>, 'at' | 'subtask_id' | 'intent_id'>;

const callSpan = (run: OpenRun, { at, subtask_id, intent_id }: AboutCall) => ({
  traceId: run.root.traceId,
  spanId: spanIdOf(intent_id),
  parentSpanId: (run.attempts.get(subtask_id) ?? run.root).spanId,
  startMs: Date.parse(at),
});

function toolSpan(run: OpenRun, event: EventOf<'tool.requested'>): OpenSpan {
  const tool = event.tool.split('.')[0] ?? event.tool;
  return {
    ...callSpan(run, event),
    name: `execute_tool ${tool}`,
    kind: 'internal',
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': event.intent_id,
      'capstan.operation': event.tool,
    },
  };
}

function modelSpan(run: OpenRun, event: EventOf<'model.requested'>): OpenSpan {
  return {
    ...callSpan(run, event),
    name: `chat ${event.model}`,
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': vendorFacts(event.provider)?.traceName ?? event.provider,
      'gen_ai.request.model': event.model,
      'gen_ai.conversation.id': run.root.attributes['gen_ai.conversation.id'],
      'capstan.purpose': event.purpose,
      ...run.server,
    },
  };
}

interface CallEnd {
  readonly attributes?: Attributes;
  readonly error: string | undefined;
}

const modelEnd = (event: EventOf<'model.answered'>): CallEnd => ({
  attributes: {
    'gen_ai.usage.input_tokens': event.input_tokens,
    'gen_ai.usage.cache_read.input_tokens': event.cached_input_tokens ?? 0,
    'gen_ai.usage.output_tokens': event.output_tokens,
    'capstan.cost_usd': event.cost_usd,
  },
  error: event.ok ? undefined : OTHER,
});

function endCall(
  run: OpenRun,
  { intent_id: id, at }: Omit<AboutCall, 'subtask_id'>,
  { attributes, error }: CallEnd,
  contentOf: ContentOf = () => ({}),
): readonly Span[] {
  const open = run.calls.get(id);
  if (open === undefined) return [];
  run.calls.delete(id);
  const all = { ...open.attributes, ...attributes, ...contentOf(id) };
  return [{ ...open, attributes: all, endMs: Date.parse(at), error }];
}

function endRun(run: OpenRun, { at, status, reason, cost_usd }: EventOf<'run.ended'>): Span[] {
  const attempts = [...run.attempts.keys()].flatMap((id) => endAttempt(run, id, at, reason));
  const attributes = {
    ...run.root.attributes,
    'capstan.run.status': status,
    'capstan.cost_usd': cost_usd,
  };
  const error = status === 'failed' ? (reason ?? OTHER) : undefined;
  return [...attempts, { ...run.root, attributes, endMs: Date.parse(at), error }];
}

function serverOf(origin: string | null): Attributes {
  if (origin === null || !URL.canParse(origin)) return {};
  const { hostname, port, protocol } = new URL(origin);
  const usual = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port) };
}
