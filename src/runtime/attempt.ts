import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProcessEnd } from '../contract/error-details.ts';
import { AppError, asError, messageOf } from '../contract/errors.ts';
import { blankUnseen } from '../contract/text/escape-text.ts';
import type { IntentReply } from '../contract/wire/coordinator-messages.ts';
import type { AgentResponse } from '../contract/wire/protocol.ts';
import { DEFAULT_LINE_BYTES, decodeUtf8, LineSplitter, toLine } from '../platform/text/lines.ts';
import type { AttemptOptions } from './attempt-options.ts';
import { Conversation, type Failure } from './conversation.ts';
import { OwnTime } from './own-time.ts';
import { KeptStderr, shownStderr } from './process/kept-stderr.ts';
import type { Launched, ProcessExit } from './process/launch.ts';

/** The part of stderr in an error; the log file contains more. */
const STDERR_SHOWN_CHARS = 4_000;
const DEFAULT_GRACE_MS = 2_000;
const DEFAULT_UNREAD_BYTES = 64 * 1024 * 1024;
/** How long pipes that outlive the process must be idle before they are closed, in milliseconds. */
const PIPES_QUIET_MS = 100;
/** Time between the end of stdout and SIGTERM, in milliseconds, so that an exiting process reports its own exit code. */
const EXIT_WAIT_MS = 200;

/** One attempt: connects the process with the conversation, and makes sure that the process group ends. */
export class Attempt {
  readonly #options: AttemptOptions;
  readonly #child: Launched;
  readonly #talk: Conversation;
  readonly #lines: LineSplitter;
  readonly #ownTime: OwnTime;
  readonly #stderr = new KeptStderr();
  readonly #graceMs: number;
  readonly #maxBytes: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  #response: AgentResponse | undefined;
  #failure: Failure | undefined;
  #heardAtMs = 0;
  #isAtEnd = false;
  #reading: Promise<void> | undefined;
  #isGentle = false;

  constructor(options: AttemptOptions, child: Launched) {
    const { capsule, onIntent, onProgress, onNoise, timeoutMs, clean } = options;
    this.#options = options;
    this.#child = child;
    this.#graceMs = options.graceMs ?? DEFAULT_GRACE_MS;
    this.#maxBytes = options.lineBytes ?? DEFAULT_LINE_BYTES;
    this.#talk = new Conversation({
      capsule,
      onIntent: (intent, signal) => onIntent(intent, signal, () => this.#waitForReader()),
      onProgress,
      onNoise,
      clean,
      send: (reply) => this.#send(reply),
      onFull: (isFull) => (isFull ? child.stdout.pause() : child.stdout.resume()),
      // The clock of the capsule runs while it must read.
      onTurn: (isCapsules) =>
        isCapsules || this.#reading ? this.#ownTime.run() : this.#ownTime.pause(),
      onFinal: (response) => this.#takeFinal(response),
      onFailure: (failure) => this.#takeFailure(failure),
    });
    this.#lines = new LineSplitter({
      maxBytes: this.#maxBytes,
      // An unfinished last line is not a failure: the failure is the end of the process.
      onLine: (line) => {
        if (!this.#isAtEnd || decodeUtf8(line) !== undefined) this.#talk.receive(line);
      },
      onTooLong: () => {
        const about = { capsule, maxBytes: this.#maxBytes };
        this.#talk.fail((end) => new AppError('LINE_TOO_LONG', { ...about, ...end }));
      },
    });
    this.#ownTime = new OwnTime(timeoutMs, () =>
      this.#talk.fail((end) => new AppError('CAPSULE_TIMED_OUT', { capsule, timeoutMs, ...end })),
    );
  }

  async run(): Promise<AgentResponse> {
    const { signal, killSignal } = this.#options;
    const cancel = () => this.#cancel();
    const kill = () => this.#child.kill('SIGKILL');
    signal.addEventListener('abort', cancel);
    killSignal?.addEventListener('abort', kill);
    try {
      const pipes = this.#listen();
      this.#options.onStart?.(this.#child.pid);
      if (signal.aborted) cancel();
      else this.#begin();
      const exit = await this.#child.exited;
      this.#talk.dropIntents();
      await this.#drain(pipes);
      this.#endOfOutput();
      return await this.#conclude(exit);
    } finally {
      this.#child.kill('SIGKILL');
      signal.removeEventListener('abort', cancel);
      killSignal?.removeEventListener('abort', kill);
      this.#ownTime.stop();
      for (const timer of this.#timers) clearTimeout(timer);
    }
  }

  /** Ends the process at once. The attempt fails with this problem, unless it has a response already. */
  endFor(problem: string): void {
    const { capsule } = this.#options;
    this.#talk.fail((end) => new AppError('CAPSULE_SPOKE_NONSENSE', { capsule, problem, ...end }));
    this.#child.kill('SIGKILL');
  }

  #begin(): void {
    const line = toLine(this.#options.request);
    const bytes = Buffer.byteLength(line);
    if (bytes > this.#maxBytes) {
      const { capsule } = this.#options;
      const problem = `its request has ${bytes} bytes; the limit of a line is ${this.#maxBytes} (CAPSTAN_LINE_BYTES)`;
      this.#talk.fail(() => new AppError('CAPSULE_NOT_STARTED', { capsule, problem }));
      return;
    }
    this.#ownTime.run();
    this.#child.stdin.write(line);
  }

  /** Settles when stdout and stderr are closed. */
  #listen(): Promise<unknown> {
    const { stdin, stdout, stderr } = this.#child;
    for (const pipe of [stdin, stdout, stderr]) pipe.on('error', ignoreBrokenPipe);
    stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    stderr.on('data', (chunk: Buffer) => {
      this.#heardAtMs = performance.now();
      this.#stderr.push(chunk);
    });
    const closed = (pipe: Readable) => new Promise((resolve) => pipe.once('close', resolve));
    stdout.once('close', () => this.#endOfOutput());
    return Promise.all([closed(stdout), closed(stderr)]);
  }

  /** An exception in a callback ends this attempt, not the whole process. */
  #receive(chunk: Buffer): void {
    this.#heardAtMs = performance.now();
    try {
      this.#lines.push(chunk);
    } catch (error) {
      this.#talk.fail(() => asError(error));
    }
  }

  #send(reply: IntentReply): void {
    const { unreadBytes = DEFAULT_UNREAD_BYTES } = this.#options;
    const { stdin } = this.#child;
    const line = toLine(reply);
    const isTooLong = line.length * 3 > this.#maxBytes && Buffer.byteLength(line) > this.#maxBytes;
    stdin.write(isTooLong ? toLine(withoutContent(reply, this.#maxBytes)) : line);
    if (stdin.writableLength <= unreadBytes) return;
    this.endFor(`it left more than ${unreadBytes} bytes of replies unread`);
  }

  /** Returns a promise while replies are buffered. */
  #waitForReader(): Promise<void> | undefined {
    const { stdin } = this.#child;
    if (!stdin.writableNeedDrain || stdin.destroyed) return undefined;
    this.#ownTime.run();
    this.#reading ??= new Promise<void>((read) => {
      const end = () => {
        stdin.off('drain', end).off('close', end);
        read();
      };
      stdin.on('drain', end).on('close', end);
    }).finally(() => {
      this.#reading = undefined;
      this.#ownTime.pause();
    });
    return this.#reading;
  }

  #takeFinal(response: AgentResponse): void {
    this.#response = response;
    this.#ownTime.stop();
    this.#child.stdin.end();
    this.#after(this.#graceMs, () => this.#child.kill('SIGKILL'));
  }

  /** A capsule that violated the protocol gets no grace period. */
  #takeFailure(failure: Failure): void {
    this.#failure = failure;
    this.#ownTime.stop();
    if (this.#isGentle) {
      this.#child.stdin.end();
      return;
    }
    this.#child.kill('SIGKILL');
    this.#child.stdin.destroy();
  }

  #cancel(): void {
    const { capsule, signal } = this.#options;
    const about = { what: `Capsule "${capsule}"`, isLate: signal.reason === 'deadline' };
    this.#isGentle = signal.reason !== 'now';
    this.#talk.fail(() => new AppError('CANCELLED', about));
    if (this.#isGentle) this.#endGently(0);
    else this.#child.kill('SIGKILL');
  }

  /** The output has ended. Waits briefly for the process to exit, so that it reports its own exit code. */
  #endOfOutput(): void {
    if (this.#isAtEnd) return;
    this.#isAtEnd = true;
    this.#isGentle = true;
    this.#lines.end();
    const { capsule } = this.#options;
    this.#talk.fail((end) => new AppError('CAPSULE_FELL_SILENT', { capsule, ...end }));
    if (this.#response === undefined) this.#endGently(EXIT_WAIT_MS);
  }

  #endGently(afterMs: number): void {
    this.#after(afterMs, () => this.#child.kill('SIGTERM'));
    this.#after(afterMs + this.#graceMs, () => this.#child.kill('SIGKILL'));
  }

  #after(ms: number, act: () => void): void {
    this.#timers.add(setTimeout(act, ms));
  }

  /** Reads the remaining output, and closes pipes that another process keeps open. */
  async #drain(pipes: Promise<unknown>): Promise<void> {
    this.#child.stdout.resume();
    let isOpen = true;
    const closed = pipes.then(() => {
      isOpen = false;
    });
    const untilMs = performance.now() + this.#graceMs;
    while (isOpen && performance.now() < untilMs) {
      await Promise.race([closed, new Promise<void>((done) => this.#after(PIPES_QUIET_MS, done))]);
      await nextTurn();
      if (performance.now() - this.#heardAtMs > PIPES_QUIET_MS) break;
    }
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  async #conclude({ exitCode, signal }: ProcessExit): Promise<AgentResponse> {
    this.#talk.close();
    const { clean } = this.#options;
    const stderr = this.#stderr.text(clean);
    await this.#keepLog(stderr);
    if (this.#failure === undefined && this.#response !== undefined) return clean(this.#response);
    const stderrTail = blankUnseen(shownStderr(stderr, STDERR_SHOWN_CHARS));
    const end: ProcessEnd = { exitCode, signal, stderrTail };
    throw this.#failure?.(end) ?? new Error('an attempt ended without a response or a failure');
  }

  async #keepLog(stderr: string): Promise<void> {
    const { logFile, onNoise } = this.#options;
    if (logFile === undefined || stderr.length === 0) return;
    try {
      await mkdir(dirname(logFile), { recursive: true, mode: 0o700 });
      await writeFile(logFile, stderr, { mode: 0o600 });
    } catch (error) {
      onNoise?.(`its stderr could not be stored: ${messageOf(error)}`);
    }
  }
}

/** Ignored because the exit of the process is the better error. */
const ignoreBrokenPipe = (): void => {};

/** The replacement for a reply that does not fit on a line. */
function withoutContent({ type, id }: IntentReply, maxBytes: number): IntentReply {
  const message = `The answer is longer than a line may be (${maxBytes} bytes). Ask for less.`;
  const error = { code: 'REPLY_TOO_LONG', message };
  const known = id === undefined ? { error } : { id, error };
  return type === 'tool_call_result'
    ? { type, ok: false, ...known }
    : { type, approved: true, note: message, ...known };
}
