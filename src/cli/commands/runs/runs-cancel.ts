import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { standard } from '../../options/standard-options.ts';
import { shortId } from '../../text/short-id.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsCancel: CommandDefinition = {
  name: 'cancel',
  topic: 'Change',
  brief: 'end it for good',
  summary: 'End a run permanently, including a parked one or one of another process',
  arguments: '<run>',
  options: [standard.json],
  examples: ['capstan runs cancel 9c41d07e'],
  run: withCapstan(async ({ capstan, io, named, isJson }) => {
    const { id, status } = await capstan.runs.cancel(named, { by: 'cli' });
    const json = { run_id: id, status };
    if (status === 'cancelled') return { json, text: `Run ${shortId(id)} is cancelled.\n` };
    if (!isJson)
      io.stderr(`Run ${shortId(id)} is still running. Its process was asked to end it.\n`);
    return { json, text: '', exitCode: exitCodes.failed };
  }),
};
