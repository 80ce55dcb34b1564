/** What a vendor wants back with a tool call on the next turn (signatures, reasoning) and our messages have no field for. */
export interface Carried<T> {
  keep(callId: string, value: T): void;
  find(callId: string): T | undefined;
}

/** Keeps the newest `maxEntries`. Lost ones cost quality, never a call: every vendor mapping has a way without. */
export function createCarried<T>(maxEntries = 1_000): Carried<T> {
  const values = new Map<string, T>();
  return {
    keep: (callId, value) => {
      values.delete(callId);
      values.set(callId, value);
      const oldest = values.keys().next();
      if (values.size > maxEntries && !oldest.done) values.delete(oldest.value);
    },
    find: (callId) => values.get(callId),
  };
}
