import { AppError } from '../../../contract/errors.ts';
import type { CapstanEvent, NumberedEvent } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition, CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatCost, formatDuration } from '../../format.ts';
import { printJsonLine } from '../../io/print-json.ts';
import { createRunLines } from '../../report/lines/run-lines.ts';
import { showOptionsOf } from '../../run/show-options.ts';
import { createStyle, type Style } from '../../style.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

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
  run: withCapstan(follow),
};

async function follow({ capstan, args, io }: CommandContext): Promise<number> {
  const id = args.positionals[0] ?? '';
  const { isPlain, format } = showOptionsOf(args.options, io);
  const isWhole = args.options['after'] === undefined && format === 'text';
  if (isWhole && !isPlain && io.isTerminal && io.isOutputTerminal) {
    const { followAtTerminal } = await import('../../menu/run-screen/follow-at-terminal.ts');
    return followAtTerminal(capstan, io, id);
  }
  const events = capstan.runs.follow(id, { after: numberOf(args.options['after']) });
  const view = createView(io);
  const show = (numbered: NumberedEvent) =>
    args.options['json'] === true ? printJsonLine(io, numbered) : view(numbered.event);
  for await (const numbered of events) {
    show(numbered);
    if ((await io.stdoutReady?.()) === false) break;
  }
  return exitCodes.completed;
}

function numberOf(value: unknown): number {
  const after = value === undefined ? 0 : Number(value);
  if (Number.isSafeInteger(after) && after >= 0 && value !== '') return after;
  const problem = `--after is "${escapeText(String(value))}"; it must be the number of an event.`;
  throw new AppError('USAGE', { problem });
}

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
