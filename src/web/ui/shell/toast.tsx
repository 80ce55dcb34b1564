import { useEffect } from 'react';
import { createStore } from '../lib/store.ts';

const current = createStore('');

/** Shows a message for five seconds, one at a time. */
export const toast = current.write;

/** Shows why a download failed. */
export const showFailure = (error: unknown): void =>
  toast(error instanceof Error ? error.message : String(error));

const SHOWN_MS = 5_000;

/** The place where `toast` messages appear. */
export function Toast() {
  const text = current.use();
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
