import { useEffect, useSyncExternalStore } from 'react';

let current = '';
const readers = new Set<() => void>();

/** Shows a message for five seconds, one at a time. */
export function toast(text: string): void {
  current = text;
  for (const one of readers) one();
}

/** Shows why a download failed. */
export const showFailure = (error: unknown): void =>
  toast(error instanceof Error ? error.message : String(error));

const subscribe = (reader: () => void) => {
  readers.add(reader);
  return () => readers.delete(reader);
};

const SHOWN_MS = 5_000;

/** The place where `toast` messages appear. */
export function Toast() {
  const text = useSyncExternalStore(subscribe, () => current);
  useEffect(() => {
    if (text === '') return;
    const timer = setTimeout(() => toast(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div role="status" className={text === '' ? 'vh' : 'toast'}>
      {text}
    </div>
  );
}
