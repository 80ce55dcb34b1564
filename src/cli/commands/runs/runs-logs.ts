import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const runsLogs: CommandDefinition = {
  name: 'logs',
  topic: 'Look',
  brief: 'its events',
  summary: 'Print the events of one run as JSON Lines',
  arguments: '<run>',
  options: [{ flags: '--json', description: 'print one JSON array instead' }],
  examples: ['capstan runs logs 9c41d07e'],
  run: withCapstan(logs),
};

async function logs({ capstan, args, io }: CommandContext): Promise<number> {
  const lines = await capstan.runs.log(args.positionals[0] ?? '');
  if (args.options['json'] === true) printJson(io, lines.split('\n').flatMap(eventOf));
  else io.stdout(io.isOutputTerminal ? escapeText(lines, true) : lines);
  return exitCodes.completed;
}

/** Skips a last line that is incomplete because its process died. */
function eventOf(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}
