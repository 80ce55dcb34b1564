const MAX_ENTRIES = 1_000;

/** Values that a vendor needs back with a tool call on the next turn (signatures, reasoning) and that chat messages have no field for. */
export interface Carried<T> {
  find(callId: string): T | undefined;
  /** Adds values by id of the call. The newest 1,000 are kept. */
  keep(values: Readonly<Record<string, unknown>>): void;
}

export function createCarried<T>(): Carried<T> {
  const kept = new Map<string, unknown>();
  return {
    find: (callId) => kept.get(callId) as T | undefined,
    keep(values) {
      for (const [callId, value] of Object.entries(values)) {
        kept.delete(callId);
        kept.set(callId, value);
      }
      for (const callId of [...kept.keys()].slice(0, -MAX_ENTRIES)) kept.delete(callId);
    },
  };
}
