import type { CapstanEvent } from '../../contract/event.ts';
import { OwnTime } from '../../runtime/own-time.ts';

export type RunDeadline = ReturnType<typeof createRunDeadline>;

/**
 * The deadline of a run. Its clock is paused while the run only waits for a person: while a question is open, and
 * every running subtask has one.
 *
 * @param timeoutMs Undefined: none.
 * @param onLate Called once, when the time is used up.
 */
export function createRunDeadline(timeoutMs: number | undefined, onLate: () => void) {
  const clock = timeoutMs === undefined ? undefined : new OwnTime(timeoutMs, onLate);
  const running = new Set<string>();
  /** The subtask of each open question. */
  const waiting = new Map<string, string>();

  const update = () => {
    const asked = new Set(waiting.values());
    const isOnlyWaiting = waiting.size > 0 && [...running].every((id) => asked.has(id));
    if (isOnlyWaiting) clock?.pause();
    else clock?.run();
  };
  clock?.run();
  return {
    /** Must get every event of the run: the events say when the clock pauses. */
    listener: (event: CapstanEvent): void => {
      note(event, running, waiting);
      update();
    },
    stop: () => clock?.stop(),
  };
}

/** Updates `running` and `waiting`. */
function note(event: CapstanEvent, running: Set<string>, waiting: Map<string, string>): void {
  if (event.type === 'approval.asked') waiting.set(event.approval_id, event.subtask_id);
  if (event.type === 'approval.decided') waiting.delete(event.approval_id);
  if (event.type !== 'subtask.started' && event.type !== 'subtask.ended') return;
  if (event.type === 'subtask.started') running.add(event.subtask_id);
  else running.delete(event.subtask_id);
  // A question whose attempt has ended stays in its row, but the run no longer waits for it.
  for (const [id, asking] of waiting) if (asking === event.subtask_id) waiting.delete(id);
}
