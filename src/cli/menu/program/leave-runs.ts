import { setTimeout as sleep } from 'node:timers/promises';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortId } from '../../text/short-id.ts';
import type { Frame } from '../frame.ts';
import { cutEnd, textWidth } from '../terminal/text-width.ts';
import type { LiveRun } from './live-run.ts';

/** How long runs may take to park, in milliseconds. After it, the next process that opens the database parks them. */
const PARK_MS = 8_000;

/**
 * Parks the runs of this process.
 *
 * @param whenForced Resolves when the person does not want to wait: capsules get no grace.
 * @returns One line for each that was parked: what to type next.
 */
export async function leaveRuns(
  runs: readonly LiveRun[],
  whenForced: Promise<void>,
  frame: Frame,
): Promise<readonly string[]> {
  const over = new AbortController();
  for (const run of runs) run.interrupt();
  void whenForced.then(() => {
    for (const run of runs) run.interrupt({ now: true });
  });
  const waited = sleep(PARK_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([Promise.all(runs.map((run) => run.over)), waited]);
  over.abort();
  return runs
    .filter((run) => run.isOwn && (run.status === 'parked' || run.status === 'running'))
    .map((run) => parkedLine(run, frame));
}

/** `‖ 3f9c0a12 is parked: Find out why the cart te…   capstan resume 3f9c0a12` */
function parkedLine({ id, task }: LiveRun, { style, symbols, width }: Frame): string {
  const short = shortId(id);
  const head = `${style.yellow(symbols.parked)} ${short} is parked: `;
  const tail = `   capstan resume ${short}`;
  const room = Math.max(10, width - textWidth(head) - tail.length);
  return `${head}${cutEnd(escapeText(task.split('\n')[0] ?? ''), room, symbols)}${tail}`;
}
