import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsLogs: CommandDefinition = {
  name: 'logs',
  topic: 'Look',
  brief: 'its events',
  summary: 'Print the events of one run as JSON Lines',
  arguments: '<run>',
  options: [{ flags: '--json', description: 'print one JSON array instead' }],
  examples: ['capstan runs logs 9c41d07e'],
  run: withCapstan(async ({ capstan, io, named }) => {
    const lines = await capstan.runs.log(named);
    return {
      json: lines.split('\n').flatMap(eventOf),
      text: io.isOutputTerminal ? escapeText(lines, true) : lines,
    };
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
