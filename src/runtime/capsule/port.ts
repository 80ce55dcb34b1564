import type { IntentReply } from '../../contract/wire/coordinator-messages.ts';
import type { Intent, Progress } from '../../contract/wire/protocol.ts';

/** The connection to the coordinator: every request of a capsule goes through it. */
export interface Port {
  /** Asks the coordinator and waits for its reply. */
  readonly ask: (intent: Intent) => Promise<IntentReply>;
  readonly emit: (progress: Progress) => void;
}

/** A port over `write`, and `settle` for the replies that come back. Ids are consecutive, so a second attempt uses the same ones. */
export function openPort(write: (message: unknown) => void): {
  port: Port;
  settle: (reply: IntentReply) => void;
} {
  const waiting = new Map<string, (reply: IntentReply) => void>();
  let asked = 0;
  const ask = (intent: Intent) =>
    new Promise<IntentReply>((resolve) => {
      asked += 1;
      const id = `i${asked}`;
      waiting.set(id, resolve);
      write({ ...intent, id });
    });
  const settle = (reply: IntentReply) => {
    const id = reply.id ?? '';
    waiting.get(id)?.(reply);
    waiting.delete(id);
  };
  return { port: { ask, emit: write }, settle };
}
