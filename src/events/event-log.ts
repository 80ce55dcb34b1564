import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CapstanEvent } from './event.ts';

/** Writes one batch of events of one run where they are kept. */
export type EventSink = (events: readonly CapstanEvent[]) => void;

export interface EventLog {
  add(event: CapstanEvent): void;
  /** Writes what waits, at once. */
  flush(): void;
}

/** Events are written in batches, this many milliseconds after the first of them at the latest. */
const TICK_MS = 16;

/** Collects events and hands them to every sink in batches. */
export function createEventLog(sinks: readonly EventSink[]): EventLog {
  let waiting: CapstanEvent[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    for (const write of sinks) write(batch);
  };
  return {
    add(event) {
      waiting.push(event);
      timer ??= setTimeout(flush, TICK_MS);
    },
    flush,
  };
}

/** Appends events to a file, one JSON document a line. The file has mode 0600. */
export function jsonlSink(path: string): EventSink {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return (events) => {
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
    appendFileSync(path, lines, { mode: 0o600 });
  };
}
