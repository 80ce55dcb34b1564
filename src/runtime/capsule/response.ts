import type { AgentResponse } from '../../contract/wire/protocol.ts';

/** Limits of the protocol. */
const MEMORY_UPDATES = 20;
const MEMORY_CHARS = 4_000;
const ARTIFACTS = 1_000;
const NEEDS = 20;

/** The fields of a response besides its result. */
export interface ResponseExtras {
  readonly remember?: readonly string[];
  readonly artifacts?: readonly string[];
  /** Files that were read and are already correct. */
  readonly unchanged?: readonly string[];
  readonly metrics?: Record<string, number>;
}

/** A response with status ok, cut to the limits of the protocol. */
export const succeeded = (result: unknown, extras: ResponseExtras = {}): AgentResponse =>
  response('ok', result, extras);

/**
 * A response with status error.
 *
 * @param needs Missing tools or abilities. Default: none.
 */
export const failed = (
  code: string,
  message: string,
  { needs = [], ...extras }: ResponseExtras & { readonly needs?: readonly string[] } = {},
): AgentResponse => {
  const named = needs.slice(0, NEEDS);
  return response('error', { code, message, ...(named.length > 0 && { needs: named }) }, extras);
};

/** Longest quoted text of a model in an error message, in characters. */
export const SHOWN_CHARS = 1_000;

/** The failure of an answer that was cut at the model's output limit, with its beginning. */
export const failedByCut = (text: string, metrics: Record<string, number>): AgentResponse => {
  const advice =
    'The model reached its output limit. Ask for a shorter answer or a part of the task, or use a model with a higher limit.';
  const shown = text.trim().slice(0, SHOWN_CHARS);
  const message = shown === '' ? advice : `${advice} Its cut answer: ${shown}`;
  return failed('ANSWER_CUT', message, { metrics });
};

function response(
  status: AgentResponse['status'],
  result: unknown,
  { remember = [], artifacts = [], unchanged = [], metrics = {} }: ResponseExtras,
): AgentResponse {
  const texts = remember.filter((text) => text.trim() !== '').slice(0, MEMORY_UPDATES);
  return {
    type: 'agent_response',
    status,
    result,
    memory_updates: texts.map((text) => ({ text: text.slice(0, MEMORY_CHARS) })),
    artifacts: pathsOf(artifacts),
    ...(unchanged.length > 0 && { unchanged: pathsOf(unchanged) }),
    metrics,
  };
}

const pathsOf = (paths: readonly string[]) =>
  [...new Set(paths)].slice(0, ARTIFACTS).map((path) => ({ path }));
