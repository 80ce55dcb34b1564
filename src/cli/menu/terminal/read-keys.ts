import type { KeyInput } from './key.ts';
import { createKeyParser } from './parse-keys.ts';

/** How long an ESC waits for the rest of a sequence before it is the key Esc, in milliseconds. */
const ESC_MS = 25;

/**
 * Calls `onInput` with every key and paste that `stdin` sends. The terminal is in raw mode already.
 *
 * @returns A function that stops reading.
 */
export function readKeys(stdin: NodeJS.ReadStream, onInput: (input: KeyInput) => void): () => void {
  const parser = createKeyParser();
  let timer: NodeJS.Timeout | undefined;
  const onData = (chunk: string) => {
    clearTimeout(timer);
    for (const input of parser.feed(chunk)) onInput(input);
    if (!parser.isWaiting()) return;
    timer = setTimeout(() => {
      for (const input of parser.flush()) onInput(input);
    }, ESC_MS);
  };
  stdin.setEncoding('utf8');
  stdin.on('data', onData);
  stdin.resume();
  return () => {
    clearTimeout(timer);
    stdin.off('data', onData);
    stdin.pause();
  };
}
