import type { IntentReply } from '../contract/wire/protocol.ts';

interface Slot {
  reply: IntentReply | undefined;
}

/** Sends replies as they finish, except those without an id, which are sent in the order of their requests. */
export class ReplyOrder {
  readonly #send: (reply: IntentReply) => void;
  readonly #waiting: Slot[] = [];

  constructor(send: (reply: IntentReply) => void) {
    this.#send = send;
  }

  /** Registers an intent. The returned function must be called once, with its reply. */
  expect(id: string | undefined): (reply: IntentReply) => void {
    if (id !== undefined) return (reply) => this.#send({ ...reply, id });
    const slot: Slot = { reply: undefined };
    this.#waiting.push(slot);
    return (reply) => {
      slot.reply = reply;
      this.#flush();
    };
  }

  #flush(): void {
    let done = 0;
    for (const slot of this.#waiting) {
      if (slot.reply === undefined) break;
      const { id: _, ...reply } = slot.reply;
      this.#send(reply);
      done += 1;
    }
    if (done > 0) this.#waiting.splice(0, done);
  }
}
