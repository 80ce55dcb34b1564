import { useEffect, useState } from 'react';
import type { RunRow } from '../lib/api-documents.ts';
import { ago, clock, duration, fullTime } from '../lib/format.ts';
import { useNow } from '../lib/use-now.ts';

/** `6 min`, with the absolute time as its title. */
export function Ago({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={fullTime(date)}>
      {ago(date, useNow())}
    </time>
  );
}

/** `14:02:21`, with the date as its title. */
export function At({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={fullTime(date)}>
      {date.toLocaleTimeString('en-GB')}
    </time>
  );
}

/** How long a run was worked at, without the time in which it was parked: `2:31` while it grows, else `2 min 31 s`. */
export function RunTime({ run }: { run: Pick<RunRow, 'id' | 'status' | 'duration_ms'> }) {
  if (run.status === 'pending') return null;
  if (run.status !== 'running') return <Took ms={run.duration_ms} />;
  return <Growing key={run.id} ms={run.duration_ms} />;
}

function Growing({ ms }: { ms: number }) {
  const [since, setSince] = useState(() => Date.now() - ms);
  // Of a run of another process the server knows the time as of its last heartbeat.
  useEffect(() => setSince((known) => Math.min(known, Date.now() - ms)), [ms]);
  return <span className="num">{clock(useNow().getTime() - since)}</span>;
}

const Took = ({ ms }: { ms: number }) => <span className="num">{duration(ms)}</span>;
