import { setTimeout as sleep } from 'node:timers/promises';
import { escapeText } from '../../../../contract/text/escape-text.ts';
import { shortId } from '../../../text/short-id.ts';
import type { Frame } from '../../frame.ts';
import { cutEnd, textWidth } from '../../terminal/text-width.ts';
import type { LiveRun } from './live-run.ts';

/** Time limit for parking, in milliseconds. Later, the next process that opens the database parks the runs. */
const PARK_MS = 8_000;

interface LeaveOptions {
  /** Marks a run, so that a running server continues it once it is parked. Resolves false if none will. */
  readonly handOver: (runId: string) => Promise<boolean>;
  /** Resolves when the person does not want to wait: capsules are then stopped immediately. */
  readonly whenForced: Promise<void>;
  readonly frame: Frame;
}

/**
 * Parks the runs of this process. A running server continues them. Followed runs of another process are not affected.
 *
 * @returns One line for each unfinished run: what to type next.
 */
export async function leaveRuns(
  runs: readonly LiveRun[],
  { handOver, whenForced, frame }: LeaveOptions,
) {
  const handedOver = await handOverAll(runs, handOver);
  const over = new AbortController();
  for (const run of runs) run.interrupt();
  void whenForced.then(() => {
    for (const run of runs) run.interrupt({ now: true });
  });
  const waited = sleep(PARK_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([Promise.all(runs.map((run) => run.over)), waited]);
  over.abort();
  const left = runs.filter(isRunningOrParked);
  const placeOf = ({ id, isOwn }: LiveRun): Place =>
    handedOver.has(id) ? 'server' : isOwn ? 'parked' : 'elsewhere';
  return {
    lines: left.map((run) => leftLine(run, placeOf(run), frame)),
    isAnyParked: left.some((run) => placeOf(run) === 'parked'),
  };
}

async function handOverAll(
  runs: readonly LiveRun[],
  handOver: LeaveOptions['handOver'],
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const { id, isOwn } of runs) {
    if (isOwn && (await handOver(id).catch(() => false))) taken.add(id);
  }
  return taken;
}

/** The state of a run after the program ends. */
type Place = 'parked' | 'server' | 'elsewhere';

const isRunningOrParked = ({ status }: LiveRun): boolean =>
  status === 'parked' || status === 'running';

/**
 * `‖ 3f9c0a12 is parked: Find out why the cart te…   capstan resume 3f9c0a12`, or
 * `✓ 51d0e3aa continues in serve: Summarise docs/   capstan runs follow 51d0e3aa`
 */
function leftLine({ id, task }: LiveRun, place: Place, { style, symbols, width }: Frame): string {
  const short = shortId(id);
  const isParked = place === 'parked';
  const where = place === 'server' ? 'continues in serve' : 'continues elsewhere';
  const head = isParked
    ? `${style.yellow(symbols.parked)} ${short} is parked: `
    : `${style.green(symbols.done)} ${short} ${where}: `;
  const tail = `   capstan ${isParked ? 'resume' : 'runs follow'} ${short}`;
  const room = Math.max(10, width - textWidth(head) - tail.length);
  return `${head}${cutEnd(escapeText(task.split('\n')[0] ?? ''), room, symbols)}${tail}`;
}
