import type { CapstanEvent } from '../../contract/event.ts';

/** Counts how long the newest open question has waited for an answer from elsewhere. */
export interface AnswerWait {
  onEvent(event: CapstanEvent): void;
  /** Whether an answer may still come: no question is open, or the newest has waited less than the limit. */
  isOpen(): boolean;
}

/** @param waitMs Limit; 0: an answer never comes. @param now Milliseconds. Default: the process's clock. */
export function createAnswerWait(waitMs: number, now = () => performance.now()): AnswerWait {
  const askedMs = new Map<string, number>();
  return {
    onEvent(event) {
      if (event.type === 'approval.asked') askedMs.set(event.approval_id, now());
      if (event.type === 'approval.decided') askedMs.delete(event.approval_id);
    },
    isOpen() {
      if (waitMs === 0 || askedMs.size === 0) return waitMs > 0;
      return now() - Math.max(...askedMs.values()) < waitMs;
    },
  };
}
