import type { ProcessEnd } from '../contract/error-details.ts';
import { AppError, asError, messageOf } from '../contract/errors.ts';
import { blankUnseen } from '../contract/text/escape-text.ts';
import type { IntentReply } from '../contract/wire/coordinator-messages.ts';
import { errorReply } from '../contract/wire/error-reply.ts';
import type { AgentResponse, CapsuleMessage, Intent, Progress } from '../contract/wire/protocol.ts';
import { decodeUtf8 } from '../platform/text/lines.ts';
import type { AttemptOptions } from './attempt-options.ts';
import { parseCapsuleLine } from './parse-message.ts';

/** The limits of a capsule in one attempt, as documented in `docs/protocol.md`. */
export const CAPSULE_LIMITS = {
  noiseLines: 100,
  noiseBytes: 64 * 1024,
  inFlight: 64,
  /** Of the intents in flight. Beyond that, further output is read later. */
  inFlightBytes: 4 * 1024 * 1024,
  progressLines: 1_000,
  progressBytes: 1024 * 1024,
  /** Intents of one attempt; the broker's own limit is far lower. */
  intents: 100_000,
} as const;

const NOISE_SHOWN_CHARS = 200;

/** Creates the error of a failure once the end of the process is known. */
export type Failure = (end: ProcessEnd) => Error;

export interface ConversationOptions
  extends Pick<AttemptOptions, 'capsule' | 'clean' | 'onProgress' | 'onNoise'> {
  /** Answers one intent; must not throw. `signal` aborts when the attempt has ended and the answer is no longer needed. */
  readonly onIntent: (intent: Intent, signal: AbortSignal) => Promise<IntentReply>;
  readonly send: (reply: IntentReply) => void;
  /** Called with true when the intents in flight are too large to read more of them, and with false later. */
  readonly onFull: (isFull: boolean) => void;
  /** Called with true when the capsule works, and with false when one of its intents waits for a reply. */
  readonly onTurn: (isCapsules: boolean) => void;
  readonly onFinal: (response: AgentResponse) => void;
  readonly onFailure: (failure: Failure) => void;
}

/** The protocol of one attempt: lines in, replies out, one `agent_response`. Independent of processes, pipes and clocks. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #over = new AbortController();
  readonly #expectReply: ReturnType<typeof replyOrder>;
  readonly #usedIds = new Set<string>();
  #state: 'open' | 'final' | 'failed' = 'open';
  #inFlight = 0;
  #inFlightBytes = 0;
  #intents = 0;
  #noise = { lines: 0, bytes: 0 };
  #progress = { lines: 0, bytes: 0, dropped: 0 };

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#expectReply = replyOrder(options.send);
  }

  /** Handles one line of the capsule. Invalid lines fail the attempt instead of throwing. */
  receive(bytes: Buffer): void {
    if (this.#state === 'open') this.#hearLine(bytes);
    else if (this.#state === 'final') this.#receiveNoise(bytes);
  }

  /** Ends the conversation from outside: a cancellation, a timeout, a broken pipe. The first failure counts. */
  fail(failure: Failure): void {
    if (this.#state !== 'open') return;
    this.#state = 'failed';
    this.#over.abort();
    this.#options.onFailure(failure);
  }

  /** To be called when the process is gone: its open intents are dropped, but its `agent_response` counts. */
  dropIntents(): void {
    this.#over.abort();
  }

  /** Reports the number of dropped lines. */
  close(): void {
    const { dropped } = this.#progress;
    if (dropped > 0) this.#options.onNoise?.(`${dropped} progress lines were dropped`);
  }

  #hearLine(bytes: Buffer): void {
    const line = decodeUtf8(bytes);
    if (line === undefined) {
      this.#break('it sent bytes that are not UTF-8');
      return;
    }
    const parsed = parseCapsuleLine(line, this.#options.clean);
    if (parsed.kind === 'message') this.#hearMessage(parsed.message, bytes.length);
    else if (parsed.kind === 'noise') this.#receiveNoise(bytes);
    else this.#break(parsed.problem);
  }

  #hearMessage(message: CapsuleMessage, bytes: number): void {
    if (message.type === 'progress') this.#hearProgress(message, bytes);
    else if (message.type === 'agent_response') this.#hearFinal(message);
    else if (!this.#over.signal.aborted) this.#hearIntent(message, bytes);
  }

  #hearFinal(response: AgentResponse): void {
    this.#state = 'final';
    this.#over.abort();
    this.#noise = { lines: 0, bytes: 0 };
    this.#options.onFinal(response);
  }

  #hearIntent(intent: Intent, bytes: number): void {
    const problem = this.#problemWith(intent);
    if (problem !== undefined) {
      this.#break(problem);
      return;
    }
    const reply = this.#expectReply(intent.id);
    if (this.#inFlight >= CAPSULE_LIMITS.inFlight) {
      const error = new AppError('TOO_MANY_IN_FLIGHT', { limit: CAPSULE_LIMITS.inFlight });
      reply(errorReply(intent, error));
      return;
    }
    this.#inFlight += 1;
    this.#hold(bytes);
    this.#options.onTurn(false);
    this.#options.onIntent(intent, this.#over.signal).then(
      (answer) => {
        this.#hold(-bytes);
        this.#answer(reply, answer);
      },
      (error: unknown) => this.fail(() => asError(error)),
    );
  }

  #hold(bytes: number): void {
    this.#inFlightBytes += bytes;
    this.#options.onFull(this.#inFlightBytes > CAPSULE_LIMITS.inFlightBytes);
  }

  /** Counts an intent, and returns the problem if it must not be performed. */
  #problemWith({ id }: Intent): string | undefined {
    this.#intents += 1;
    if (this.#intents > CAPSULE_LIMITS.intents) {
      return `it made more than ${CAPSULE_LIMITS.intents} requests`;
    }
    if (id === undefined) return undefined;
    if (this.#usedIds.has(id)) return `it used the intent id ${JSON.stringify(id)} twice`;
    this.#usedIds.add(id);
    return undefined;
  }

  #answer(reply: (answer: IntentReply) => void, answer: IntentReply): void {
    this.#inFlight -= 1;
    if (this.#state !== 'open') return;
    reply(answer);
    if (this.#inFlight === 0 && this.#state === 'open') this.#options.onTurn(true);
  }

  #hearProgress(progress: Progress, bytes: number): void {
    const seen = this.#progress;
    seen.lines += 1;
    seen.bytes += bytes;
    const isOver =
      seen.lines > CAPSULE_LIMITS.progressLines || seen.bytes > CAPSULE_LIMITS.progressBytes;
    if (isOver) seen.dropped += 1;
    else this.#options.onProgress?.(progress);
  }

  /** Too much noise before the `agent_response` fails the attempt; after it, the noise is no longer reported. */
  #receiveNoise(bytes: Buffer): void {
    const seen = this.#noise;
    seen.lines += 1;
    seen.bytes += bytes.length;
    const { noiseLines, noiseBytes } = CAPSULE_LIMITS;
    if (seen.lines <= noiseLines && seen.bytes <= noiseBytes) {
      const text = this.#options.clean(bytes.toString('utf8'));
      const problem = text.trimStart().startsWith('{') ? jsonProblem(text) : '';
      this.#options.onNoise?.(blankUnseen(`${text.slice(0, NOISE_SHOWN_CHARS)}${problem}`));
    } else if (this.#state === 'open') {
      this.#break(`more than ${noiseLines} lines or ${noiseBytes} bytes on stdout were not JSON`);
    }
  }

  #break(problem: string): void {
    const { capsule } = this.#options;
    this.fail((end) => new AppError('CAPSULE_SPOKE_NONSENSE', { capsule, problem, ...end }));
  }
}

/**
 * Sends replies as they finish, except those without an id, which are sent in the order of their requests. Each intent is
 * registered; the returned function must be called once, with its reply.
 */
function replyOrder(send: (reply: IntentReply) => void) {
  const waiting: { reply?: IntentReply }[] = [];
  return (id: string | undefined): ((reply: IntentReply) => void) => {
    if (id !== undefined) return (reply) => send(Object.assign({}, reply, { id }));
    const slot: (typeof waiting)[number] = {};
    waiting.push(slot);
    return (given) => {
      slot.reply = given;
      for (let first = waiting[0]?.reply; first; first = waiting[0]?.reply) {
        const { id: _, ...reply } = first;
        waiting.shift();
        send(reply);
      }
    };
  };
}

/** Why a line that was meant as a message is not JSON, with the position: ` (Unexpected end of JSON input)`. */
function jsonProblem(line: string): string {
  try {
    JSON.parse(line);
    return '';
  } catch (error) {
    return ` (${messageOf(error)})`;
  }
}
