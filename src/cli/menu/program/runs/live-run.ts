import type { CapstanEvent } from '../../../../contract/event.ts';
import type { RunStatus } from '../../../../contract/status.ts';
import type { RunPart } from '../../run/run-part.ts';

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

type Work = Pick<LiveRun, 'working' | 'asked'>;

/** Whether it waits for a person only. */
export const isWaiting = ({ working, asked }: Work): boolean =>
  asked.size > 0 && working.size === 0;

export const isRunning = ({ status }: LiveRun): boolean => status === 'running';

/** Keeps account of what works and what waits. */
export function noteWork({ working, asked }: Work, event: CapstanEvent): void {
  if (event.type === 'subtask.started') working.add(event.subtask_id);
  else if (event.type === 'subtask.ended') working.delete(event.subtask_id);
  else if (event.type === 'approval.asked') {
    working.delete(event.subtask_id);
    asked.add(event.approval_id);
  } else if (event.type === 'approval.decided') {
    asked.delete(event.approval_id);
    if (event.subtask_id !== '') working.add(event.subtask_id);
  }
}
