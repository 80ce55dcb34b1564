import { useEffect } from 'react';
import { createStore } from '../lib/store.ts';
import { Button } from '../parts/input/button.tsx';

const NONE = { text: '', isKept: false };
const current = createStore(NONE);

/** Shows a message for five seconds, one at a time; not while one is shown that is kept. */
export const toast = (text: string): void => {
  if (!current.read().isKept) current.write({ text, isKept: false });
};

/** Shows a message until it is dismissed. */
export const keepToast = (text: string): void => current.write({ text, isKept: true });

/** Shows why a download failed. */
export const showFailure = (error: unknown): void =>
  toast(error instanceof Error ? error.message : String(error));

const SHOWN_MS = 5_000;

/** The place where `toast` messages appear. */
export function Toast() {
  const { text, isKept } = current.use();
  useEffect(() => {
    if (text === '' || isKept) return;
    const timer = setTimeout(() => toast(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text, isKept]);
  return (
    <div role="status" className={text === '' ? 'vh' : 'toast'}>
      {text}
      {isKept && <Button word="Dismiss" onClick={() => current.write(NONE)} />}
    </div>
  );
}
