import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { capsuleOptionsOf } from '../../options/capsule-options.ts';
import { projectOptions, standard } from '../../options/standard-options.ts';
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
  run: withCapstan(async (context) => {
    const { capstan, named, text } = context;
    const options = { ...capsuleOptionsOf(context), reason: text('reason') };
    const { id, reason } = await capstan.capsules.quarantine(named, options);
    return {
      json: { quarantined: id, reason },
      text: `"${escapeText(id)}" is quarantined: it gets no tasks. Undo: capstan capsules restore ${id}\n`,
    };
  }),
};
