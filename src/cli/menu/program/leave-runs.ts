import { setTimeout as sleep } from 'node:timers/promises';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortId } from '../../text/short-id.ts';
import type { Frame } from '../frame.ts';
import { cutEnd, textWidth } from '../terminal/text-width.ts';
import type { LiveRun } from './live-run.ts';

/** How long runs may take to park, in milliseconds. After it, the next process that opens the database parks them. */
const PARK_MS = 8_000;

export interface LeftRuns {
  readonly lines: readonly string[];
  readonly isAnyParked: boolean;
}

/**
 * Parks the runs of this process; those of another process, which were followed, go on.
 *
 * @param whenForced Resolves when the person does not want to wait: capsules get no grace.
 * @returns One line for each run that is not over: what to type next.
 */
export async function leaveRuns(
  runs: readonly LiveRun[],
  whenForced: Promise<void>,
  frame: Frame,
): Promise<LeftRuns> {
  const over = new AbortController();
  for (const run of runs) run.interrupt();
  void whenForced.then(() => {
    for (const run of runs) run.interrupt({ now: true });
  });
  const waited = sleep(PARK_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([Promise.all(runs.map((run) => run.over)), waited]);
  over.abort();
  const left = runs.filter(isRunningOrParked);
  return {
    lines: left.map((run) => leftLine(run, frame)),
    isAnyParked: left.some((run) => run.isOwn),
  };
}

const isRunningOrParked = ({ status }: LiveRun): boolean =>
  status === 'parked' || status === 'running';

/**
 * `‖ 3f9c0a12 is parked: Find out why the cart te…   capstan resume 3f9c0a12`, or
 * `✓ 51d0e3aa goes on elsewhere: Summarise docs/   capstan runs follow 51d0e3aa`
 */
function leftLine({ id, task, isOwn }: LiveRun, { style, symbols, width }: Frame): string {
  const short = shortId(id);
  const head = isOwn
    ? `${style.yellow(symbols.parked)} ${short} is parked: `
    : `${style.green(symbols.done)} ${short} goes on elsewhere: `;
  const tail = `   capstan ${isOwn ? 'resume' : 'runs follow'} ${short}`;
  const room = Math.max(10, width - textWidth(head) - tail.length);
  return `${head}${cutEnd(escapeText(task.split('\n')[0] ?? ''), room, symbols)}${tail}`;
}
