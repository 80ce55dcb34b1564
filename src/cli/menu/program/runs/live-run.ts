import type { CapstanEvent } from '../../../../contract/event.ts';
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
  /** Running steps, without those that wait for a person. */
  readonly working: Set<string>;
  /** The ids of its open questions, with their kinds. */
  readonly asked: Map<string, string>;
  /** Parks it; with `now`, capsules are stopped immediately. A run of another process is only no longer followed. */
  interrupt(options?: { readonly now?: boolean }): void;
  /** Whether this process executes it. */
  readonly isOwn: boolean;
  /** Whether it has a model, which reads messages. */
  readonly hasModel: boolean;
  /** Resolves when it has ended or parked, or is no longer followed. Never rejects. */
  over: Promise<void>;
}

type Work = Pick<LiveRun, 'working' | 'asked'>;

/** Whether it only waits for a person. */
export const isWaiting = ({ working, asked }: Work): boolean =>
  asked.size > 0 && working.size === 0;

export const isRunning = ({ status }: LiveRun): boolean => status === 'running';

/** Whether Esc stops it: it runs, and nobody has stopped it yet. */
export const canStop = (run: LiveRun | undefined): boolean =>
  run !== undefined && isRunning(run) && run.stoppedMs === undefined;

/** Its open questions about calls: words that the person types instead of an answer deny them. */
export const leftOpen = ({ asked }: Pick<LiveRun, 'asked'>): readonly string[] =>
  [...asked].flatMap(([id, kind]) => (kind === 'tool' || kind === 'changed_file' ? id : []));

/** Tracks which steps run and which questions wait. */
export function noteWork({ working, asked }: Work, event: CapstanEvent): void {
  if (event.type === 'subtask.started') working.add(event.subtask_id);
  else if (event.type === 'subtask.ended') working.delete(event.subtask_id);
  else if (event.type === 'approval.asked') {
    working.delete(event.subtask_id);
    asked.set(event.approval_id, event.kind);
  } else if (event.type === 'approval.decided') {
    asked.delete(event.approval_id);
    if (event.subtask_id !== '') working.add(event.subtask_id);
  }
}
