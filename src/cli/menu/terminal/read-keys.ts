import { closeSync, constants, openSync, readSync } from 'node:fs';
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

/** Longest line that a terminal keeps before raw mode, in bytes, and the number of lines that are taken. */
const MAX_LINE_BYTES = 4_096;
const MAX_LINES = 100;

/**
 * Takes the lines that were typed before raw mode. The terminal has ended each with a line feed in place of Enter. Several
 * lines are a paste, so that none is sent.
 */
export function readTypedLines(): readonly KeyInput[] {
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = constants;
  const lines: string[] = [];
  const buffer = Buffer.alloc(MAX_LINE_BYTES);
  let terminal: number | undefined;
  try {
    terminal = openSync('/dev/tty', O_RDONLY | O_NONBLOCK | O_NOCTTY);
    for (let bytes = -1; bytes !== 0 && lines.length < MAX_LINES; ) {
      bytes = readSync(terminal, buffer);
      lines.push(buffer.toString('utf8', 0, bytes));
    }
  } catch {
    // There is no terminal, or every line was read.
  } finally {
    if (terminal !== undefined) closeSync(terminal);
  }
  const text = lines.join('').replaceAll('\n', '\r');
  return createKeyParser().feed(lines.length > 1 ? `\x1b[200~${text}\x1b[201~` : text);
}
