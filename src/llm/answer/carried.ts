import type { ChatResult } from '../provider.ts';

/** Values that a vendor needs back with a tool call on the next turn (signatures, reasoning) and that chat messages have no field for. */
export interface Carried<T> {
  keep(callId: string, value: T): void;
  find(callId: string): T | undefined;
  /** The result with the values of its calls, so that they can be recorded. */
  addTo(result: ChatResult): ChatResult;
  /** Restores recorded values. */
  restore(recorded: Readonly<Record<string, unknown>>): void;
}

/** Keeps the newest `maxEntries`. */
export function createCarried<T>(maxEntries = 1_000): Carried<T> {
  const values = new Map<string, T>();
  const keep = (callId: string, value: T) => {
    values.delete(callId);
    values.set(callId, value);
    const oldest = values.keys().next();
    if (values.size > maxEntries && !oldest.done) values.delete(oldest.value);
  };
  return {
    keep,
    find: (callId) => values.get(callId),
    addTo(result) {
      const kept = result.response.tool_calls
        .filter(({ id }) => values.has(id))
        .map(({ id }) => [id, values.get(id)] as const);
      return kept.length === 0 ? result : { ...result, carried: Object.fromEntries(kept) };
    },
    restore(recorded) {
      for (const [callId, value] of Object.entries(recorded)) keep(callId, value as T);
    },
  };
}
