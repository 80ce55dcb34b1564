import type { RunStatus } from '../../../../contract/status.ts';
import type { RunPart } from '../../run-part.ts';

/** A run that this program started, continued or follows. */
export interface LiveRun {
  readonly id: string;
  readonly sessionId: string;
  readonly task: string;
  readonly part: RunPart;
  readonly startedMs: number;
  /** `running` until its document is there. */
  status: RunStatus;
  /** When a person stopped it. */
  stoppedMs: number | undefined;
  /** Steps that work now; those that wait for a person do not. */
  readonly working: Set<string>;
  /** Ids of its questions that wait for a person. */
  readonly asked: Set<string>;
  /** Parks it. Capsules get no grace with `now`. A run of another process is only left. */
  interrupt(options?: { readonly now?: boolean }): void;
  /** Whether this process executes it. */
  readonly isOwn: boolean;
  /** Resolves when it has ended or parked, or is no longer followed. Never rejects. */
  over: Promise<void>;
}

/** Whether it waits for a person only. */
export const isWaiting = ({ working, asked }: LiveRun): boolean =>
  asked.size > 0 && working.size === 0;

export const isRunning = ({ status }: LiveRun): boolean => status === 'running';
