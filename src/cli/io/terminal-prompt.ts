import { createInterface } from 'node:readline';
import type { CommandIo } from '../command.ts';

/** Input within this time after the question appeared is ignored: it can't be an answer to it. */
const READING_MS = 300;

const ERASE_LINE = '\r\u001b[K';

export type Prompt = ReturnType<typeof openPrompt>;

/** One conversation at the terminal, line by line. */
export function openPrompt(io: CommandIo, signal: AbortSignal) {
  const input = io.input ?? process.stdin;
  const isTty = io.input === undefined && Boolean(process.stdin.isTTY);
  const lines = createInterface({ input, ...(isTty ? { output: process.stderr } : {}) });
  const openedMs = performance.now();
  const typed: string[] = [];
  let isOver = signal.aborted;
  let isReading = false;
  let wake = () => {};

  const end = () => {
    isOver = true;
    wake();
  };
  lines.on('line', (line) => {
    if (!isTty || performance.now() - openedMs >= READING_MS) typed.push(line);
    wake();
  });
  lines.once('close', end);
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  signal.addEventListener('abort', end);
  const draw = (text: string) => {
    if (!isTty) return io.stderr(text);
    lines.setPrompt(text);
    lines.prompt();
  };

  return {
    /** Reads the next line; undefined after the end of the input or an abort. */
    async read(text: string): Promise<string | undefined> {
      isReading = true;
      try {
        while (typed.length === 0 && !isOver) {
          const more = new Promise<void>((resolve) => {
            wake = resolve;
          });
          draw(text);
          await more;
        }
        if (typed.length === 0) io.stderr(isTty ? ERASE_LINE : '\n');
        return typed.shift();
      } finally {
        isReading = false;
      }
    },
    /** Writes other output above the line being typed. */
    aside(write: () => void) {
      if (!isTty || !isReading) return write();
      io.stderr(ERASE_LINE);
      write();
      lines.prompt(true);
    },
    close(): void {
      signal.removeEventListener('abort', end);
      lines.close();
    },
  };
}
