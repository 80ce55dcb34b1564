import type { AgentResponse } from '../../contract/protocol.ts';

/** What the protocol takes at most. */
const MEMORY_UPDATES = 20;
const MEMORY_CHARS = 4_000;
const ARTIFACTS = 1_000;
const NEEDS = 20;

/** What a capsule leaves behind besides its result. */
export interface Leavings {
  readonly remember?: readonly string[];
  readonly artifacts?: readonly string[];
  /** Files that were read and are right as they are. */
  readonly unchanged?: readonly string[];
  readonly metrics?: Record<string, number>;
}

/** A final with status ok, cut to what the protocol takes. */
export const succeeded = (result: unknown, leavings: Leavings = {}): AgentResponse =>
  response('ok', result, leavings);

/**
 * A final with status error.
 *
 * @param needs Missing tools or abilities. Default: none.
 */
export const failed = (
  code: string,
  message: string,
  { needs = [], ...leavings }: Leavings & { readonly needs?: readonly string[] } = {},
): AgentResponse => {
  const named = needs.slice(0, NEEDS);
  return response('error', { code, message, ...(named.length > 0 && { needs: named }) }, leavings);
};

function response(
  status: AgentResponse['status'],
  result: unknown,
  { remember = [], artifacts = [], unchanged = [], metrics = {} }: Leavings,
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
