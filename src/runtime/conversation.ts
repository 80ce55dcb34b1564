import type { ProcessEnd } from '../contract/error-details.ts';
import { AppError, asError } from '../contract/errors.ts';
import type {
  AgentResponse,
  CapsuleMessage,
  Intent,
  IntentReply,
  Progress,
  WireError,
} from '../contract/protocol.ts';
import { blankUnseen } from '../contract/text/escape-text.ts';
import { decodeUtf8 } from './lines.ts';
import { type ParsedLine, parseCapsuleLine } from './parse-message.ts';
import { ReplyOrder } from './reply-order.ts';

/** What a capsule may do in one attempt before it is cut off. `docs/protocol.md` tells authors the same numbers. */
export const CAPSULE_LIMITS = {
  noiseLines: 100,
  noiseBytes: 64 * 1024,
  inFlight: 64,
  progressLines: 1_000,
  progressBytes: 1024 * 1024,
  /** Intents of one attempt; the broker's own limit is far lower. */
  intents: 100_000,
} as const;

const NOISE_SHOWN_CHARS = 200;

/** A failure that still waits for how the process ended. */
export type Failure = (end: ProcessEnd) => Error;

export interface ConversationOptions {
  readonly capsule: string;
  /** Answers one intent; must not throw. `signal` aborts when the attempt is over and nobody waits any more. */
  readonly onIntent: (intent: Intent, signal: AbortSignal) => Promise<IntentReply>;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onNoise?: ((text: string) => void) | undefined;
  /** Removes known secrets from lines that are reported. */
  readonly clean: <T>(value: T) => T;
  readonly send: (reply: IntentReply) => void;
  /** It is the capsule's turn (true), or one of its intents waits for us (false). */
  readonly onTurn: (isCapsules: boolean) => void;
  readonly onFinal: (response: AgentResponse) => void;
  readonly onFailure: (failure: Failure) => void;
}

/** One attempt as the protocol sees it: lines in, replies out, one final. Knows no process, no pipe and no clock. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #over = new AbortController();
  readonly #replies: ReplyOrder;
  readonly #usedIds = new Set<string>();
  #state: 'open' | 'final' | 'failed' = 'open';
  #dropsIntents = false;
  #inFlight = 0;
  #intents = 0;
  #noise = { lines: 0, bytes: 0 };
  #progress = { lines: 0, bytes: 0, dropped: 0 };

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#replies = new ReplyOrder(options.send);
  }

  /** Takes one line of the capsule. Never throws for what the capsule says. */
  hear(bytes: Buffer): void {
    if (this.#state === 'open') this.#hearLine(bytes);
    else if (this.#state === 'final') this.#hearNoise(bytes);
  }

  /** Ends the conversation from outside: cancelled, timed out, a pipe that broke. The first failure stands. */
  fail(failure: Failure): void {
    if (this.#state !== 'open') return;
    this.#state = 'failed';
    this.#over.abort();
    this.#options.onFailure(failure);
  }

  /** The process is gone: what it still asked for is not carried out, its final counts. */
  dropIntents(): void {
    this.#dropsIntents = true;
  }

  /** Says what was left out of what was shown. */
  close(): void {
    const { dropped } = this.#progress;
    if (dropped > 0) this.#options.onNoise?.(`${dropped} progress lines were dropped`);
  }

  #hearLine(bytes: Buffer): void {
    const line = decodeUtf8(bytes);
    const parsed: ParsedLine =
      line === undefined
        ? { kind: 'nonsense', problem: 'it sent bytes that are no UTF-8' }
        : parseCapsuleLine(line, this.#options.clean);
    if (parsed.kind === 'message') this.#hearMessage(parsed.message, bytes.length);
    else if (parsed.kind === 'noise') this.#hearNoise(bytes);
    else this.#break(parsed.problem);
  }

  #hearMessage(message: CapsuleMessage, bytes: number): void {
    if (message.type === 'progress') this.#hearProgress(message, bytes);
    else if (message.type === 'agent_response') this.#hearFinal(message);
    else if (!this.#dropsIntents) this.#hearIntent(message);
  }

  #hearFinal(response: AgentResponse): void {
    this.#state = 'final';
    this.#over.abort();
    this.#noise = { lines: 0, bytes: 0 };
    this.#options.onFinal(response);
  }

  #hearIntent(intent: Intent): void {
    const problem = this.#problemWith(intent);
    if (problem !== undefined) {
      this.#break(problem);
      return;
    }
    const reply = this.#replies.expect(intent.id);
    if (this.#inFlight >= CAPSULE_LIMITS.inFlight) {
      const error = new AppError('TOO_MANY_IN_FLIGHT', { limit: CAPSULE_LIMITS.inFlight });
      reply(errorReply(intent, error));
      return;
    }
    this.#inFlight += 1;
    this.#options.onTurn(false);
    this.#options.onIntent(intent, this.#over.signal).then(
      (answer) => this.#answer(reply, answer),
      (error: unknown) => this.fail(() => asError(error)),
    );
  }

  /** Counts an intent, and says what forbids to carry it out. */
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

  /** Before the final, too much of it fails the attempt; after it, it is only no longer told. */
  #hearNoise(bytes: Buffer): void {
    const seen = this.#noise;
    seen.lines += 1;
    seen.bytes += bytes.length;
    const { noiseLines, noiseBytes } = CAPSULE_LIMITS;
    if (seen.lines <= noiseLines && seen.bytes <= noiseBytes) {
      const text = this.#options.clean(bytes.toString('utf8'));
      this.#options.onNoise?.(blankUnseen(text.slice(0, NOISE_SHOWN_CHARS)));
    } else if (this.#state === 'open') {
      this.#break(`more than ${noiseLines} lines or ${noiseBytes} bytes on stdout were no JSON`);
    }
  }

  #break(problem: string): void {
    const { capsule } = this.#options;
    this.fail((end) => new AppError('CAPSULE_SPOKE_NONSENSE', { capsule, problem, ...end }));
  }
}

/** A reply that says why an intent was not carried out. */
export function errorReply(intent: Intent, { code, message }: WireError): IntentReply {
  const error = { code, message };
  return intent.type === 'tool_call_intent'
    ? { type: 'tool_call_result', ok: false, error }
    : { type: 'api_call_decision', approved: false, note: message, error };
}
