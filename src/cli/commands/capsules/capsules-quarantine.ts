import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { capsuleOptionsOf, projectOptions } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesQuarantine: CommandDefinition = {
  name: 'quarantine',
  topic: 'Manage',
  brief: 'keep it from tasks',
  summary: 'Exclude a capsule from routing until you restore it',
  arguments: '<capsule>',
  options: [
    { flags: '--reason <text>', description: 'the reason, for the record' },
    ...projectOptions,
    standard.json,
  ],
  examples: ['capstan capsules quarantine mine --reason "it invents figures"'],
  run: withCapstan(async ({ capstan, args, io }) => {
    const [named = ''] = args.positionals;
    const given = textOption(args.options['reason']);
    const options = { ...capsuleOptionsOf({ args, io }), reason: given };
    const { id, reason } = await capstan.capsules.quarantine(named, options);
    if (args.options['json'] === true) printJson(io, { quarantined: id, reason });
    else
      io.stdout(
        `"${escapeText(id)}" is quarantined: it gets no tasks. Undo: capstan capsules restore ${id}\n`,
      );
    return exitCodes.completed;
  }),
};
