/**
 * In place of a web stream, whose classes take milliseconds to load: the part of `ReadableStream` that the streams of a
 * graph use. One reader; nothing is read ahead.
 */
export class PlainStream {
  #queue = [];
  #waiting = [];
  #end;
  #source;
  #controller = {
    enqueue: (value) => {
      if (this.#end) return;
      const next = this.#waiting.shift();
      if (next) next({ done: false, value });
      else this.#queue.push(value);
    },
    close: () => this.#finish(() => ({ done: true, value: undefined })),
    error: (error) => {
      this.#queue = [];
      this.#finish(() => Promise.reject(error));
    },
  };

  locked = false;

  constructor(source = {}) {
    this.#source = source;
    void this.#call('start', this.#controller);
  }

  getReader() {
    this.locked = true;
    return {
      read: () => this.#read(),
      releaseLock: () => {
        this.locked = false;
      },
      cancel: async (reason) => {
        this.#queue = [];
        this.#controller.close();
        await this.#source.cancel?.(reason);
      },
    };
  }

  async #read() {
    if (this.#queue.length > 0) return { done: false, value: this.#queue.shift() };
    if (this.#end) return this.#end();
    const next = new Promise((resolve) => this.#waiting.push(resolve));
    void this.#call('pull', this.#controller);
    return next;
  }

  async #call(name, controller) {
    try {
      await this.#source[name]?.(controller);
    } catch (error) {
      controller.error(error);
    }
  }

  #finish(end) {
    if (this.#end) return;
    this.#end = end;
    for (const next of this.#waiting.splice(0)) next(end());
  }
}
