import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { withDeadline } from '../platform/with-deadline.ts';

export class ThreadTimeout extends Error {
  override readonly name = 'ThreadTimeout';
}

interface ThreadOptions {
  /** Whether `program` is source code. Default: it is a file. */
  readonly eval?: boolean;
  readonly workerData: unknown;
  /** Exceeding it ends the thread with the error `ERR_WORKER_OUT_OF_MEMORY`. */
  readonly maxHeapMb: number;
}

/** The default, 48, is much beside a small heap. */
const MAX_YOUNG_MB = 8;

/** A thread for work that untrusted input may keep from ever finishing. Disposing ends it. */
export class WorkerThread implements AsyncDisposable {
  private readonly worker: Worker;

  constructor(program: string, { maxHeapMb, ...options }: ThreadOptions) {
    const resourceLimits = {
      maxOldGenerationSizeMb: maxHeapMb,
      maxYoungGenerationSizeMb: MAX_YOUNG_MB,
    };
    this.worker = new Worker(program, { ...options, env: {}, execArgv: [], resourceLimits });
    // An error while the thread is being ended would end this process too.
    this.worker.on('error', () => undefined);
  }

  /**
   * Sends a message, if there is one, and returns the next answer.
   *
   * @throws ThreadTimeout after `deadlineMs` milliseconds; the error that ended the thread.
   */
  answer<T>(deadlineMs: number, message?: unknown, abort: AbortSignal = never): Promise<T> {
    return withDeadline(abort, deadlineMs, async (signal) => {
      if (message !== undefined) this.worker.postMessage(message);
      try {
        const [answer] = await once(this.worker, 'message', { signal });
        return answer as T;
      } catch (error) {
        throw signal.aborted ? new ThreadTimeout('it takes too long') : error;
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.worker.terminate();
  }
}

const never = new AbortController().signal;
