import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const runsCancel: CommandDefinition = {
  name: 'cancel',
  topic: 'Change',
  brief: 'end it for good',
  summary: 'End a run permanently, including a parked one or one of another process',
  arguments: '<run>',
  options: [standard.json],
  examples: ['capstan runs cancel 9c41d07e'],
  run: withCapstan(cancel),
};

async function cancel({ capstan, args, io }: CommandContext): Promise<number> {
  const { id, status } = await capstan.runs.cancel(args.positionals[0] ?? '', { by: 'cli' });
  const isCancelled = status === 'cancelled';
  if (args.options['json'] === true) printJson(io, { run_id: id, status });
  else if (isCancelled) io.stdout(`Run ${shortId(id)} is cancelled.\n`);
  else io.stderr(`Run ${shortId(id)} is still running. Its process was asked to end it.\n`);
  return isCancelled ? exitCodes.completed : exitCodes.failed;
}
