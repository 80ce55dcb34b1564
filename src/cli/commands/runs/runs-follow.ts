import type { CapstanEvent } from '../../../contract/event.ts';
import type { CommandDefinition, CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatCost, formatDuration } from '../../format.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { numberOption } from '../../options/option-value.ts';
import { createRunLines } from '../../report/lines/run-lines.ts';
import { showOptionsOf } from '../../run/show-options.ts';
import { createStyle, type Style } from '../../style.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsFollow: CommandDefinition = {
  name: 'follow',
  topic: 'Look',
  brief: 'watch a run live',
  summary: 'Show the events of a run as they happen, until it ends or parks',
  arguments: '<run>',
  options: [
    { flags: '--after <seq>', description: 'only events after this number' },
    { flags: '--json', description: 'print one JSON document per event: its number and the event' },
  ],
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
function createView(io: CommandIo): (event: CapstanEvent) => void {
  const style = createStyle(io.environment, io.isOutputTerminal === true);
  const lines = createRunLines(io.stdout, { style, level: 'info' });
  return (event) => {
    if (event.type === 'run.ended') io.stdout(`${outcomeLine(event, style)}\n`);
    else lines.onEvent(event);
  };
}

function outcomeLine(
  { status, reason, duration_ms, cost_usd }: Extract<CapstanEvent, { type: 'run.ended' }>,
  style: Style,
): string {
  const why = reason === null || reason === status ? '' : ` (${reason})`;
  const took = status === 'parked' ? '' : ` in ${formatDuration(duration_ms)}`;
  return style.bold(`${status}${why}${took} · ${formatCost(cost_usd)}`);
}
