import { capsuleDocument, statusDocument } from '../../capsule/capsule-document.ts';
import { figureCells, figureColumns, figuresDocument } from '../../capsule/capsule-figures.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { capsuleOptionsOf, projectOptions } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { shorten } from '../../text/shorten.ts';
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
    const rows = listed.map(({ capsule: { id, origin, manifest }, figures, quarantine }) => [
      id,
      origin,
      manifest.task_kinds.map(({ mode }) => mode).join(', '),
      ...figureCells(figures),
      `${quarantine ? '(quarantined) ' : ''}${shorten(manifest.description, 80)}`,
    ]);
    io.stdout(formatTable([['capsule', 'origin', 'works as', ...figureColumns, 'for'], ...rows]));
    return exitCodes.completed;
  }),
};
