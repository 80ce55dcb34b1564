import type { CoordinatorRequest, IntentReply } from '../contract/wire/coordinator-messages.ts';
import type { Intent, Progress } from '../contract/wire/protocol.ts';

/** The options of an attempt whose process runs. */
export interface AttemptOptions {
  readonly capsule: string;
  readonly request: CoordinatorRequest;
  /**
   * Answers one intent; must not throw. Several may be in flight. `signal` aborts when the attempt has ended and
   * the answer is no longer needed; `waitForReader` returns a promise while the capsule leaves replies unread.
   */
  readonly onIntent: (
    intent: Intent,
    signal: AbortSignal,
    waitForReader?: () => Promise<void> | undefined,
  ) => Promise<IntentReply>;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onStart?: (pid: number) => void;
  /** A line that was ignored, cut to 200 characters, safe for a terminal. */
  readonly onNoise?: ((text: string) => void) | undefined;
  /** Time limit of the capsule in milliseconds. Waiting for replies does not count. */
  readonly timeoutMs: number;
  /** Longest line accepted, in bytes. Default 4 MiB. */
  readonly lineBytes?: number;
  /** Time between the request to exit and SIGKILL of the process group, in milliseconds. Default 2,000. */
  readonly graceMs?: number;
  /** Maximum size of unread replies, in bytes. Default 64 MiB. */
  readonly unreadBytes?: number;
  /** Redacts known secrets, in names too. Applied before anything is shortened, stored or reported. */
  readonly clean: <T>(value: T) => T;
  /** The file for stderr (last 64 KiB, mode 0600; the first line says how much was left out). Not written if stderr is empty. */
  readonly logFile?: string;
  /** Aborting ends the process: gracefully, then by SIGKILL. Aborting with reason `now` skips the grace period. */
  readonly signal: AbortSignal;
  /** Aborted after `signal`: ends the grace period. */
  readonly killSignal?: AbortSignal | undefined;
}
