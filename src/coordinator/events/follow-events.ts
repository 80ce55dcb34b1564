import type { NumberedEvent, TextDelta } from '../../contract/event.ts';
import { waitForChange } from '../../db/changes/wait-for-change.ts';
import { isStorageFailure } from '../../db/health/storage-failure.ts';
import { isAlive } from '../life/process-identity.ts';
import { recoverRun } from '../life/recover-runs.ts';
import type { Stores } from '../store/create-stores.ts';
import type { RunRecord } from '../store/runs/run-record.ts';
import { EVENTS_PER_PAGE } from './event-rows.ts';

export interface FollowOptions {
  /** Only events after this number. Default: 0, from the first event. */
  readonly after?: number | undefined;
  /** Keeps following a run that parks, until it ends. Default: no. */
  readonly live?: boolean | undefined;
  /** Also yields the texts of answers while they arrive: first the text so far. Default: no. */
  readonly deltas?: boolean | undefined;
  /** Ends the iteration when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Without the texts of answers. */
export type EventsOnly = FollowOptions & { readonly deltas?: false | undefined };

/**
 * The numbered events of a run of any process, from its rows. Ends after the last event of a run that has
 * ended or parked, when `signal` aborts, when the database is closed, and when the run is deleted. A slow consumer holds
 * one page of rows. Followers that are at the same event share one read, and get the same objects.
 */
export async function* followEvents(
  stores: Stores,
  runId: string,
  { after = 0, live = false, deltas = false, signal }: FollowOptions = {},
): AsyncGenerator<NumberedEvent | TextDelta, void, void> {
  const { changes, eventRows } = stores;
  const ending = signal ? AbortSignal.any([signal, changes.closed]) : changes.closed;
  const isOver = completionCheck();
  const waiter = waitForChange(changes, ending);
  const readDeltas = deltaReader(stores, runId, deltas);
  let last = after;
  try {
    while (!ending.aborted) {
      // The limit is read before the events: if the run is over then, its last events are in this page or a later one.
      const { limitMs, page } = changes.readOnce(`${runId} ${live} after ${last}`, () => ({
        limitMs: waitLimitMs(stores, runId, live),
        page: eventRows.page(runId, last),
      }));
      const isComplete = isOver(limitMs);
      for (const event of page) {
        last = event.seq;
        yield event;
        if (ending.aborted) return;
      }
      if (page.length === EVENTS_PER_PAGE) continue;
      yield* readDeltas();
      if (isComplete) return;
      await waiter.next();
    }
  } finally {
    waiter.stop();
  }
}

/** Reads new text of partial answers. The text is deleted before the event for the end of its call is written. */
function deltaReader(stores: Stores, runId: string, isWanted: boolean): () => readonly TextDelta[] {
  if (!isWanted) return () => [];
  let row = 0;
  return () => {
    const { last, deltas } = stores.changes.readOnce(`${runId} deltas after ${row}`, () =>
      stores.deltas.after(runId, row),
    );
    row = last;
    return deltas;
  };
}

/** A check whether all events of the run are written, unless it is resumed. */
function completionCheck(): (limitMs: number) => boolean {
  let overSince = performance.now();
  return (limitMs) => {
    if (limitMs === Number.POSITIVE_INFINITY) overSince = performance.now();
    return performance.now() - overSince >= limitMs;
  };
}

/** How long to wait for further events of the run in its current state. Parks a run whose owner died. */
function waitLimitMs(stores: Stores, runId: string, live: boolean): number {
  const run = stores.runs.find(runId);
  if (!run) return 0;
  const hasOwner = isAlive(run.owner, run.leaseUntil, stores.now());
  const isActive = run.status === 'running' || run.status === 'pending';
  if (isActive && !hasOwner && !parkDead(stores, run)) return 0;
  if (isActive || (live && run.status === 'parked')) return Number.POSITIVE_INFINITY;
  if (stores.eventRows.hasEnded(runId)) return 0;
  return hasOwner ? LAST_EVENT_MS : ORPHAN_MS;
}

/** False if that can't be written: then there is no further event. */
function parkDead(stores: Stores, run: RunRecord): boolean {
  try {
    recoverRun(stores, run, 'crashed');
    return true;
  } catch (error) {
    if (isStorageFailure(error)) return false;
    throw error;
  }
}

/** The owner writes `run.ended` after the `post_run` hooks, so some time after the run's row was ended. */
const LAST_EVENT_MS = 60_000;
/** The owner died after it ended the run, or is invisible to this process and needs a few more milliseconds. */
const ORPHAN_MS = 1_000;
