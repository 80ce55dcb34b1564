import * as z from 'zod';
import { parseJson } from '../../../platform/text/parse-json.ts';

export const CallPart = z.object({
  index: z.int().min(0).max(255).nullish().catch(undefined),
  id: z.string().nullish().catch(undefined),
  function: z.object({ name: z.string().nullish(), arguments: z.unknown().optional() }).nullish(),
  extra_content: z.unknown().optional(),
});

type CallPart = z.infer<typeof CallPart>;

/** A tool call that is assembled from the parts of a stream. */
export interface StreamedCall {
  /** The server's index; undefined if it sends none. */
  readonly index: number | undefined;
  readonly call: {
    id: string | undefined;
    function: { name: string; arguments: string };
    extra_content: unknown;
  };
}

/** The parts of one delta, in the current or the legacy form. */
export function callPartsOf(delta: {
  readonly tool_calls?: readonly CallPart[] | null | undefined;
  readonly function_call?: CallPart['function'];
}): readonly CallPart[] {
  const { tool_calls, function_call } = delta;
  return function_call ? [...(tool_calls ?? []), { function: function_call }] : (tool_calls ?? []);
}

/** Adds a part to the call that it continues, or starts a new one. */
export function addCallPart(calls: StreamedCall[], part: CallPart): void {
  const { call } = continued(calls, part) ?? start(calls, part);
  call.id = call.id || part.id || undefined;
  call.function.name = call.function.name || (part.function?.name ?? '');
  const args = part.function?.arguments;
  if (typeof args === 'string') call.function.arguments += args;
  else if (args) call.function.arguments = JSON.stringify(args);
  call.extra_content = part.extra_content ?? call.extra_content;
}

function start(calls: StreamedCall[], { index }: CallPart): StreamedCall {
  const call = { id: undefined, function: { name: '', arguments: '' }, extra_content: undefined };
  const started = { index: index ?? undefined, call };
  calls.push(started);
  return started;
}

/**
 * The call with the same id, else with the same index, else the last one. Some servers omit ids and indexes, or give all
 * calls the same index: a part with a name then starts a new call once the one before it is complete.
 */
function continued(calls: readonly StreamedCall[], part: CallPart): StreamedCall | undefined {
  const { id, index, function: given } = part;
  const byId = id ? calls.find(({ call }) => call.id === id) : undefined;
  if (byId) return byId;
  const last =
    typeof index === 'number' ? calls.findLast((one) => one.index === index) : calls.at(-1);
  if (!last || !given?.name) return last;
  const isOther = Boolean(id && last.call.id);
  const hasIndex = typeof index === 'number';
  if (isOther && !hasIndex) return undefined;
  return (isOther || !hasIndex) && isComplete(last, given.name) ? undefined : last;
}

/** Whether the call is complete: its arguments are JSON, or another tool is named before there are any. */
function isComplete({ call }: StreamedCall, next: string): boolean {
  const { name, arguments: args } = call.function;
  return args === '' ? name !== next : parseJson(args) !== undefined;
}
