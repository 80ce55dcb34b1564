import type { RunEvent } from '../use-run-events.ts';

/** A time in which the run did not work. */
export interface Pause {
  readonly from: number;
  readonly to: number;
  readonly why: 'parked' | 'ended' | 'process ended';
}

const atOf = ({ event }: RunEvent): number => Date.parse(event.at);

/** The times before the run was resumed, oldest first. Of a process that was killed, only the last event is known. */
export function pausesOf(events: readonly RunEvent[]): readonly Pause[] {
  const pauses: Pause[] = [];
  let since = 0;
  events.forEach((one, index) => {
    if (one.event.type !== 'run.resumed') return;
    const own = events.slice(since, index);
    const end = own.findLastIndex(({ event }) => event.type === 'run.ended');
    const last = own.at(end);
    const isKilled = end === -1 || last?.event['reason'] === 'crashed';
    const from = isKilled && end !== -1 ? own[end - 1] : last;
    if (from) pauses.push({ from: atOf(from), to: atOf(one), why: whyOf(last, isKilled) });
    since = index;
  });
  return pauses;
}

function whyOf(end: RunEvent | undefined, isKilled: boolean): Pause['why'] {
  if (isKilled) return 'process ended';
  return end?.event['status'] === 'parked' ? 'parked' : 'ended';
}

/** The length of the pauses in milliseconds, by their reason. */
export function pauseTimes(pauses: readonly Pause[]): ReadonlyMap<Pause['why'], number> {
  const times = new Map<Pause['why'], number>();
  for (const { from, to, why } of pauses) times.set(why, (times.get(why) ?? 0) + to - from);
  return times;
}
