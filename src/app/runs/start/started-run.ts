import type { CapstanEvent, TextDelta } from '../../../contract/event.ts';
import type { SettingsOverrides } from '../../context/open-context.ts';
import type { RunDocument } from '../show/run-document.ts';

/** A run of this process. */
export interface StartedRun {
  /** UUIDv7. */
  readonly id: string;
  readonly sessionId: string;
  /** Absolute, symbolic links resolved. */
  readonly workspace: string;
  readonly provider: {
    /** `offline`, `openai`, `anthropic`, `gemini` or `ollama`. */
    readonly name: string;
    /** Why it was chosen, in a few words. */
    readonly why: string;
  };
  /** The level in force and why: `A: …`. */
  readonly isolation: string;
  /** Notices about the settings, the project and the isolation, one sentence each. */
  readonly notices: readonly string[];
  /** The user's `CAPSTAN_LOG_LEVEL`. */
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  /**
   * Resolves when the run has ended or parked.
   *
   * Rejects with AppError `RUN_TAKEN_OVER` if another process has the run now; `DATABASE_FAILED`; for a resumed run, with
   * what its provider or isolation failed with: the run is parked or failed as before.
   */
  readonly finished: Promise<RunDocument>;
  /** Stops the run so that it can be resumed: it parks with reason `interrupted`. */
  interrupt(options?: {
    /** Capsules get no grace. Default: they have 2 seconds to end. */
    readonly now?: boolean;
  }): void;
  /**
   * Parks the run without waiting for anything, for a process that exits immediately. Returns its document.
   *
   * @throws AppError `DATABASE_FAILED`: the next process that opens the database parks it.
   */
  leave(): RunDocument;
}

/** The common parts of `start` and `resume`. */
export interface RunOptions {
  /** Overrides of settings, of this run only. */
  readonly settings?: SettingsOverrides | undefined;
  /** Run without a sandbox, at the user's own risk. Default: no. */
  readonly isIsolationWaived?: boolean | undefined;
  /** Called with every event of the run, in order, from its first one. Must not throw. */
  readonly onEvent?: ((event: CapstanEvent) => void) | undefined;
  /** Called with the texts of answers while they arrive. Must not throw. */
  readonly onDelta?: ((delta: TextDelta) => void) | undefined;
  /** Called while a model is downloaded or capsules are embedded. */
  readonly onProgress?: ((done: number, total: number, what?: string) => void) | undefined;
}
