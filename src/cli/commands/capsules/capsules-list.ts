import { capsuleDocument, statusDocument } from '../../capsule/capsule-document.ts';
import { figuresDocument } from '../../capsule/capsule-figures.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { capsuleColumns } from '../../lists/columns/capsule-columns.ts';
import { printList } from '../../lists/print-list.ts';
import { capsuleOptionsOf, projectOptions } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesList: CommandDefinition = {
  name: 'list',
  topic: 'Look',
  brief: 'all of them',
  summary:
    'List capsules (shipped ones, your own, and those of a trusted project) and their figures',
  options: [...projectOptions, standard.json],
  examples: ['capstan capsules list', 'capstan capsules list --json'],
  run: withCapstan(async ({ capstan, args, io }) => {
    const listed = await capstan.capsules.list(capsuleOptionsOf({ args, io }));
    if (args.options['json'] === true) {
      const documents = listed.map(({ capsule, figures, quarantine }) => ({
        ...capsuleDocument(capsule),
        ...statusDocument(quarantine),
        metrics: figuresDocument(figures),
      }));
      printJson(io, documents);
      return exitCodes.completed;
    }
    await printList(listed, capsuleColumns, { io });
    return exitCodes.completed;
  }),
};
