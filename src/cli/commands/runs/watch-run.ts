import type { RunDetails } from '../../../app/runs/show/get-run.ts';
import type { CapstanEvent, EventOf } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition, CommandIo } from '../../command.ts';
import { exitCodeOf, exitCodes } from '../../errors/exit-codes.ts';
import { nextLines } from '../../errors/next-command.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { abortOnSignal, exitCodeOfSignal, type StopSignal } from '../../io/watch-signals.ts';
import { numberOption, standard } from '../../options/standard-options.ts';
import { createRunLines } from '../../report/lines/run-lines.ts';
import { showOptionsOf } from '../../run/show-options.ts';
import { outcomeText } from '../../run/surfaces/outcome-text.ts';
import { printedRun } from '../../run/surfaces/print-run.ts';
import { formatCost, formatDuration } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { createStyle, type Style } from '../../text/style.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsLogs: CommandDefinition = {
  name: 'logs',
  summary: 'Print the events of one run as JSON Lines',
  arguments: '<run>',
  options: { '--json': 'print one JSON array instead' },
  examples: ['capstan runs logs 9c41d07e'],
  run: withCapstan(async ({ capstan, io, named, isJson }) => {
    const lines = await capstan.runs.log(named);
    if (isJson) return { json: lines.split('\n').flatMap(eventOf), text: '' };
    return { json: null, text: io.isOutputTerminal ? escapeText(lines, true) : lines };
  }),
};

/** Skips a last line that is incomplete because its process died. */
function eventOf(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}

export const runsFollow: CommandDefinition = {
  name: 'follow',
  summary: 'Show the events of a run as they happen',
  arguments: '<run>',
  options: {
    '--after <seq>': 'only events after this number',
    '--json': 'print one JSON document per event: its number and the event',
  },
  examples: ['capstan runs follow last', 'capstan runs follow 9c41d07e --json --after 120'],
  run: withCapstan(async ({ capstan, args: { options }, io, named, isJson }) => {
    const { isPlain, format } = showOptionsOf(options, io);
    const isWhole = options['after'] === undefined && format === 'text';
    if (isWhole && !isPlain && io.isTerminal && io.isOutputTerminal) {
      const { followAtTerminal } = await import('../../menu/run-screen/follow-at-terminal.ts');
      return followAtTerminal(capstan, io, named);
    }
    const what = 'the number of an event,';
    const range = { min: 0, max: Number.MAX_SAFE_INTEGER, what };
    const after = numberOption('--after', options['after'], range) ?? 0;
    const view = createView(io);
    for await (const numbered of capstan.runs.follow(named, { after })) {
      if (isJson) printJsonLine(io, numbered);
      else view(numbered.event);
      if ((await io.stdoutReady?.()) === false) break;
    }
    return exitCodes.completed;
  }),
};

/** The lines that `capstan run` shows, and one for the end of the run. */
function createView(io: CommandIo) {
  const style = createStyle(io.environment, io.isOutputTerminal === true);
  const lines = createRunLines(io.stdout, { style, level: 'info' });
  return (event: CapstanEvent): void => {
    if (event.type === 'run.ended') {
      lines.showFailure();
      io.stdout(`${outcomeLine(event, style)}\n`);
    } else lines.onEvent(event);
  };
}

function outcomeLine(event: EventOf<'run.ended'>, style: Style): string {
  const { status, reason, duration_ms, cost_usd } = event;
  const why = reason === null || reason === status ? '' : ` (${reason})`;
  const took = status === 'parked' ? '' : ` in ${formatDuration(duration_ms)}`;
  return style.bold(`${status}${why}${took} · ${formatCost(cost_usd)}`);
}

export const runsWait: CommandDefinition = {
  name: 'wait',
  summary: 'Wait until a run ends or parks, and exit with its exit code',
  arguments: '<run>',
  options: { ...standard.timeout, ...standard.json },
  examples: ['capstan runs wait last', 'capstan runs wait 9c41d07e --timeout 600'],
  run: withCapstan(async ({ capstan, args, named }) => {
    const range = { min: 0.001, max: MAX_SECONDS, what: 'a number of seconds' };
    const seconds = numberOption('--timeout', args.options['timeout'], range) ?? MAX_SECONDS;
    const watch = abortOnSignal();
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
function exitCodeOfWait({ document }: RunDetails, received: StopSignal | undefined): number {
  if (received !== undefined) return exitCodeOfSignal[received];
  return isOver(document) ? exitCodeOf(document) : exitCodes.deadline;
}

const isOver = ({ status }: RunDetails['document']): boolean =>
  status !== 'pending' && status !== 'running';

/** `completed in 4.1 s · $0.04 · run 3f9c0a12`, then what can be done next. */
function statusText({ run, document }: RunDetails): string {
  const joint = run.status === 'parked' ? 'after' : 'in';
  const took = isOver(document) ? ` ${joint} ${formatDuration(document.duration_ms)}` : '';
  const line = `${outcomeText(run, run.openQuestions)}${took} · ${formatCost(document.cost_usd)} · run ${shortId(run.id)}`;
  return `${line}\n${nextLines(document.next)}`;
}
