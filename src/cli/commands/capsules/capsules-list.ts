import { capsuleDocument, statusDocument } from '../../capsule/capsule-document.ts';
import { figuresDocument } from '../../capsule/capsule-figures.ts';
import type { CommandDefinition } from '../../command.ts';
import { capsuleColumns } from '../../lists/columns/capsule-columns.ts';
import { listText } from '../../lists/list-text.ts';
import { capsuleOptionsOf } from '../../options/capsule-options.ts';
import { projectOptions, standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesList: CommandDefinition = {
  name: 'list',
  topic: 'Look',
  brief: 'all of them',
  summary:
    'List capsules (shipped ones, your own, and those of a trusted project) and their figures',
  options: [...projectOptions, standard.json],
  examples: ['capstan capsules list', 'capstan capsules list --json'],
  run: withCapstan(async (context) => {
    const { capstan, io } = context;
    const listed = await capstan.capsules.list(capsuleOptionsOf(context));
    return {
      json: listed.map(({ capsule, figures, quarantine }) => ({
        ...capsuleDocument(capsule),
        ...statusDocument(quarantine),
        metrics: figuresDocument(figures),
      })),
      text: await listText(listed, capsuleColumns, { io, none: '' }),
    };
  }),
};
