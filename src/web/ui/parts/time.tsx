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

/** The time since `from`: `2:31` while it grows, `2 min 31 s` when it has ended. */
export function Elapsed({ from, to }: { from: string; to?: string | null }) {
  return to ? <Took ms={Date.parse(to) - Date.parse(from)} /> : <Growing from={from} />;
}

const Growing = ({ from }: { from: string }) => (
  <span className="num">{clock(useNow().getTime() - Date.parse(from))}</span>
);

export const Took = ({ ms }: { ms: number }) => <span className="num">{duration(ms)}</span>;
