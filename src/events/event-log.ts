import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CapstanEvent } from '../contract/event.ts';

/** An event as it is kept: its text is JSON. */
export interface LoggedEvent {
  readonly run_id: string;
  readonly text: string;
}

/** Keeps one batch of events. */
export type EventSink = (events: readonly LoggedEvent[]) => void;

export interface EventLog {
  add(event: CapstanEvent): void;
  /** Writes what waits, at once. */
  flush(): void;
}

/** Events are written in batches, this many milliseconds after the first of them at the latest. */
const TICK_MS = 16;

/**
 * Collects events and hands them to every sink in batches. A sink that fails loses its batch: events are for observers,
 * and what a run depends on is in its journal.
 *
 * @param onSinkError Told of every batch that was lost.
 */
export function createEventLog(
  sinks: readonly EventSink[],
  onSinkError: (error: unknown, lost: readonly LoggedEvent[]) => void = () => {},
): EventLog {
  let waiting: LoggedEvent[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
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
      waiting.push({ run_id: event.run_id, text: JSON.stringify(event) });
      timer ??= setTimeout(flush, TICK_MS);
    },
    flush,
  };
}

/** The file that holds the events of one run, one JSON document a line. */
export const eventFile = (stateDir: string, runId: string): string =>
  join(stateDir, 'runs', `${runId}.jsonl`);

/** Appends each event to the file of its run. Files have mode 0600. */
export function jsonlSink(stateDir: string): EventSink {
  mkdirSync(join(stateDir, 'runs'), { recursive: true, mode: 0o700 });
  return (events) => {
    for (const runId of new Set(events.map(({ run_id }) => run_id))) {
      const lines = events.filter(({ run_id }) => run_id === runId).map(({ text }) => `${text}\n`);
      appendFileSync(eventFile(stateDir, runId), lines.join(''), { mode: 0o600 });
    }
  };
}
