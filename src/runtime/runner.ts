import type {
  AgentResponse,
  CoordinatorRequest,
  Intent,
  IntentReply,
  Progress,
} from './protocol.ts';

export interface RunCapsuleOptions {
  readonly capsule: string;
  /** Folder of the capsule, absolute: the working directory of its process. */
  readonly dir: string;
  /** Argument vector of the manifest; `node` becomes this very Node. */
  readonly entrypoint: readonly string[];
  /** The SDK's one file; the capsule finds it by `CAPSTAN_SDK`. */
  readonly sdkPath: string;
  readonly request: CoordinatorRequest;
  /** Answers one intent; must not throw. Several may be under way at once. */
  readonly onIntent: (intent: Intent) => Promise<IntentReply>;
  readonly onProgress?: (progress: Progress) => void;
  /** A line that was ignored, cut to 200 characters. */
  readonly onNoise?: (text: string) => void;
  readonly onStart?: (pid: number) => void;
  /** Time of its own that the capsule may use, in milliseconds. Waiting for replies does not count. */
  readonly timeoutMs: number;
  /** Longest line accepted, in bytes. Default 4 MiB. */
  readonly lineBytes?: number;
  /** From asking the process to go to SIGKILL of its group, in milliseconds. Default 2,000. */
  readonly graceMs?: number;
  /** Where stderr is kept (last 64 KiB). */
  readonly logFile?: string;
  /** Aborting ends the process: gracefully, then by SIGKILL. Aborting with reason `now` skips the grace. */
  readonly signal: AbortSignal;
}

/**
 * Runs one capsule to its single response. The process and its whole group are gone when this returns or throws.
 *
 * @throws AppError `CAPSULE_NOT_STARTED`, `CAPSULE_TIMED_OUT`, `CAPSULE_SPOKE_NONSENSE`, `CAPSULE_FELL_SILENT`, `LINE_TOO_LONG`, `CANCELLED`.
 */
export declare function runCapsule(options: RunCapsuleOptions): Promise<AgentResponse>;
