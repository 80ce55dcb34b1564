import { escapeText } from '../../contract/text/escape-text.ts';
import { capsuleOptionsOf, jsonOption, projectOptions, textOption } from '../capsule-options.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { withCapstan } from '../with-capstan.ts';

export const capsulesQuarantine: CommandDefinition = {
  name: 'quarantine',
  summary: 'Keep a capsule from being chosen until you restore it',
  arguments: '<id>',
  options: [
    { flags: '--reason <text>', description: 'why, for later readers' },
    ...projectOptions,
    jsonOption,
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
        `"${escapeText(id)}" is chosen for nothing any more. Take it back: capstan capsules restore ${id}\n`,
      );
    return exitCodes.completed;
  }),
};
