import { useSyncExternalStore } from 'react';

/** A value that components follow with `use`. */
export function createStore<Value>(first: Value) {
  let value = first;
  const readers = new Set<() => void>();
  const subscribe = (reader: () => void) => {
    readers.add(reader);
    return () => readers.delete(reader);
  };
  return {
    read: () => value,
    write(next: Value): void {
      value = next;
      for (const one of readers) one();
    },
    use: () => useSyncExternalStore(subscribe, () => value),
  };
}
