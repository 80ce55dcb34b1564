import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CapstanEvent } from '../contract/event.ts';

/** An event as it is stored. */
export interface LoggedEvent {
  readonly run_id: string;
  /** JSON. */
  readonly text: string;
}

/** Stores one batch of events. */
export type EventSink = (events: readonly LoggedEvent[]) => void;

export interface EventLog {
  add(event: CapstanEvent): void;
  /** Writes pending events now. */
  flush(): void;
}

/** Maximum time between an event and the write of its batch. */
const MAX_DELAY_MS = 16;

/**
 * Collects events and passes them to every sink in batches. If a sink fails, its batch is lost: events are for observers,
 * and the state of a run is in the journal.
 *
 * @param onSinkError Called for every lost batch.
 */
export function createEventLog(
  sinks: readonly EventSink[],
  onSinkError: (error: unknown, lost: readonly LoggedEvent[]) => void = () => {},
): EventLog {
  let pending: LoggedEvent[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0) return;
    const batch = pending;
    pending = [];
    for (const sink of sinks) {
      try {
        sink(batch);
      } catch (error) {
        onSinkError(error, batch);
      }
    }
  };
  return {
    add(event) {
      pending.push({ run_id: event.run_id, text: JSON.stringify(event) });
      timer ??= setTimeout(flush, MAX_DELAY_MS);
    },
    flush,
  };
}

/** The file with the events of one run, one JSON document per line. */
export const eventFile = (stateDir: string, runId: string): string =>
  join(stateDir, 'runs', `${runId}.jsonl`);

/** A sink that appends each event to the file of its run. Files have mode 0600. */
export function jsonlSink(stateDir: string): EventSink {
  mkdirSync(join(stateDir, 'runs'), { recursive: true, mode: 0o700 });
  return (events) => {
    for (const runId of new Set(events.map(({ run_id }) => run_id))) {
      const lines = events.filter(({ run_id }) => run_id === runId).map(({ text }) => `${text}\n`);
      appendFileSync(eventFile(stateDir, runId), lines.join(''), { mode: 0o600 });
    }
  };
}
