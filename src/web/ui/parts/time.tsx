import { useEffect, useState } from 'react';
import type { RunRow } from '../../../contract/documents/run-documents.ts';
import { useKnownTime } from '../lib/server/live.ts';
import { ago, clock, duration, fullTime, past, timeOn } from '../lib/text/format.ts';
import { useNow } from '../lib/use-now.ts';

interface AgoProps {
  readonly at: string;
  /** Puts it into words. Default: `6 min`. */
  readonly words?: typeof ago;
}

/** `6 min`, with the absolute time as its title. */
export function Ago({ at, words = ago }: AgoProps) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={fullTime(date)}>
      {words(date, useNow())}
    </time>
  );
}

/** `6 min ago`. */
export const Past = ({ at }: { at: string }) => <Ago at={at} words={past} />;

/** `14:02:21`; on another day `21 Nov, 14:02:21`. */
export const At = ({ at }: { at: string }) => <Ago at={at} words={timeOn} />;

/** Working time of a run without its time parked: `2:31` while it runs, then `2 min 31 s`. */
export function RunTime({ run }: { run: Pick<RunRow, 'id' | 'status' | 'duration_ms'> }) {
  if (run.status === 'pending') return null;
  return (
    <span className="num" title="Time in which it worked, without pauses">
      {run.status === 'running' && <Running key={run.id} ms={run.duration_ms} />}
      {run.status !== 'running' && duration(run.duration_ms)}
    </span>
  );
}

function Running({ ms }: { ms: number }) {
  const [since, setSince] = useState(() => Date.now() - ms);
  // For a run of another process, the server only knows the time of its last heartbeat.
  useEffect(() => setSince((known) => Math.min(known, Date.now() - ms)), [ms]);
  return clock(useKnownTime().getTime() - since);
}
