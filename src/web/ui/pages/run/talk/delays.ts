import type { RunEvent } from '../use-run-events.ts';

/** A model call that failed and is made again. */
export interface Delay {
  readonly intentId: string;
  readonly problem: string;
  /** Time of the next try, as ISO 8601. */
  readonly until: string;
}

/** The model calls of a running run that wait for their next try, or are in it, oldest first. */
export function delaysOf(events: readonly RunEvent[]): readonly Delay[] {
  const delays = new Map<string, Delay>();
  for (const { event } of events) {
    const intentId = String(event['intent_id']);
    if (event.type === 'run.ended' || event.type === 'run.resumed') delays.clear();
    else if (event.type === 'model.answered') delays.delete(intentId);
    else if (event.type === 'model.delayed') {
      const until = new Date(Date.parse(event.at) + Number(event['wait_ms'])).toISOString();
      delays.set(intentId, { intentId, problem: String(event['problem']), until });
    }
  }
  return [...delays.values()];
}
