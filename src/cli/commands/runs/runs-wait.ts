import type { RunDetails } from '../../../app/runs/show/get-run.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodeOf, exitCodes } from '../../errors/exit-codes.ts';
import { commandLinesOf } from '../../errors/next-command.ts';
import { formatCost, formatDuration } from '../../format.ts';
import { abortOnSignal, exitCodeOfSignal, type StopSignal } from '../../io/watch-signals.ts';
import { numberOption } from '../../options/option-value.ts';
import { standard } from '../../options/standard-options.ts';
import { outcomeText } from '../../run/surfaces/outcome-text.ts';
import { printedRun } from '../../run/surfaces/print-run.ts';
import { shortId } from '../../text/short-id.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsWait: CommandDefinition = {
  name: 'wait',
  topic: 'Look',
  brief: 'wait for its end',
  summary: 'Wait until a run has ended or parked, and end with its exit code',
  arguments: '<run>',
  options: [standard.timeout, standard.json],
  examples: ['capstan runs wait last', 'capstan runs wait 9c41d07e --timeout 600'],
  run: withCapstan(async ({ capstan, args, named }) => {
    const range = { min: 0.001, max: MAX_SECONDS, what: 'a number of seconds' };
    const seconds = numberOption('--timeout', args.options['timeout'], range) ?? MAX_SECONDS;
    const watch = abortOnSignal(() => {});
    const signal = AbortSignal.any([watch.signal, AbortSignal.timeout(seconds * 1_000)]);
    try {
      for await (const _ of capstan.runs.follow(named, { signal }));
    } finally {
      watch.stop();
    }
    const details = await capstan.runs.get(named);
    const exitCode = exitCodeOfWait(details, watch.received());
    return { json: printedRun(details.document), text: statusText(details), exitCode };
  }),
};

/** The longest that a timer waits, in seconds. */
const MAX_SECONDS = 2_147_483;

/** 124 if the time is over first. A signal ends the waiting, not the run. */
function exitCodeOfWait(details: RunDetails, received: StopSignal | undefined): number {
  if (received !== undefined) return exitCodeOfSignal[received];
  return isOver(details) ? exitCodeOf(details.document) : exitCodes.deadline;
}

const isOver = ({ run }: Pick<RunDetails, 'run'>): boolean =>
  !['pending', 'running'].includes(run.status);

/** `completed in 4.1 s · $0.04 · run 3f9c0a12`, then what can be done next. */
function statusText({ run, document }: RunDetails): string {
  const joint = run.status === 'parked' ? 'after' : 'in';
  const took = isOver({ run }) ? ` ${joint} ${formatDuration(document.duration_ms)}` : '';
  const line = `${outcomeText(run, run.openQuestions)}${took} · ${formatCost(document.cost_usd)} · run ${shortId(run.id)}`;
  const next = document.next.flatMap(commandLinesOf).map((command) => `  ${command}\n`);
  return `${line}\n${next.join('')}`;
}
