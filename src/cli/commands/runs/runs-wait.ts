import type { RunDetails } from '../../../app/runs/show/get-run.ts';
import { AppError } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodeOf, exitCodes } from '../../errors/exit-codes.ts';
import { commandLinesOf } from '../../errors/next-command.ts';
import { formatCost, formatDuration } from '../../format.ts';
import { abortOnSignal, exitCodeOfSignal } from '../../io/watch-signals.ts';
import { standard } from '../../options/standard-options.ts';
import { outcomeText } from '../../run/surfaces/outcome-text.ts';
import { printRun } from '../../run/surfaces/print-run.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const runsWait: CommandDefinition = {
  name: 'wait',
  topic: 'Look',
  brief: 'wait for its end',
  summary: 'Wait until a run has ended or parked, and end with its exit code',
  arguments: '<run>',
  options: [standard.timeout, standard.json],
  examples: ['capstan runs wait last', 'capstan runs wait 9c41d07e --timeout 600'],
  run: withCapstan(wait),
};

/** Exit code 124 if the time is over first. A signal ends the waiting, not the run. */
async function wait({ capstan, args, io }: CommandContext): Promise<number> {
  const [id = ''] = args.positionals;
  const timeoutMs = timeoutOf(args.options['timeout']);
  const watch = abortOnSignal(() => {});
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([watch.signal, deadline]);
  try {
    for await (const _ of capstan.runs.follow(id, { signal }));
  } finally {
    watch.stop();
  }
  const details = await capstan.runs.get(id);
  if (args.options['json'] === true) printRun(io, details.document);
  else io.stdout(statusText(details));
  const received = watch.received();
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

/** The longest that a timer waits, in seconds. */
const MAX_SECONDS = 2_147_483;

function timeoutOf(given: unknown): number {
  if (given === undefined) return MAX_SECONDS * 1_000;
  const seconds = Number(given);
  if (given !== '' && seconds > 0 && seconds <= MAX_SECONDS) return seconds * 1_000;
  const problem = `--timeout is "${printable(String(given), 40)}"; it must be a number of seconds, more than 0 and at most ${MAX_SECONDS}.`;
  throw new AppError('USAGE', { problem });
}
