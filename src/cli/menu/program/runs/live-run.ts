import type { RunStatus } from '../../../../contract/status.ts';
import type { RunPart } from '../../run/open-run-part.ts';

/** A run that this program started, continued or follows. */
export interface LiveRun {
  readonly id: string;
  readonly sessionId: string;
  readonly task: string;
  readonly part: RunPart;
  readonly startedMs: number;
  /** `running` until its document arrives. */
  status: RunStatus;
  /** When a person stopped it. */
  stoppedMs: number | undefined;
  /** Parks it; with `now`, capsules are stopped immediately. A run of another process is only no longer followed. */
  interrupt(options?: { readonly now?: boolean }): void;
  /** Whether this process executes it. */
  readonly isOwn: boolean;
  /** Resolves when it has ended or parked, or is no longer followed. Never rejects. */
  over: Promise<void>;
}

export const isRunning = ({ status }: LiveRun): boolean => status === 'running';

/** Whether Esc stops it: it runs, and nobody has stopped it yet. */
export const canStop = (run: LiveRun | undefined): boolean =>
  run !== undefined && isRunning(run) && run.stoppedMs === undefined;
