import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { shorten } from '../shorten.ts';
import { type CapsulesHere, jsonOption, projectOptions, withCapsules } from './capsules-ground.ts';
import { summaryOf } from './capsules-inspect.ts';
import {
  figureCells,
  figureColumns,
  figuresDocument,
  quarantineDocument,
  withRecordsIfAny,
} from './capsules-records.ts';

export const capsulesList: CommandDefinition = {
  name: 'list',
  summary: 'List capsules (those that ship, your own, and a trusted project’s) and how they fare',
  options: [...projectOptions, jsonOption],
  examples: ['capstan capsules list', 'capstan capsules list --json'],
  run: withCapsules(list),
};

async function list({ capsules, args, io, stateDir }: CapsulesHere): Promise<number> {
  const rows = await withRecordsIfAny(stateDir, (records) =>
    capsules.map((capsule) => ({
      capsule,
      figures: records?.metrics.of(capsule),
      held: records?.quarantine.find(capsule),
    })),
  );
  if (args.options['json'] === true) {
    const documents = rows.map(({ capsule, figures, held }) => ({
      ...summaryOf(capsule),
      status: held ? 'quarantined' : 'ready',
      quarantine: quarantineDocument(held),
      metrics: figuresDocument(figures),
    }));
    printJson(io, documents);
    return exitCodes.completed;
  }
  const cells = rows.map(({ capsule: { id, origin, manifest }, figures, held }) => [
    id,
    origin,
    manifest.task_kinds.map(({ mode }) => mode).join(', '),
    ...figureCells(figures),
    `${held ? '(quarantined) ' : ''}${shorten(manifest.description, 80)}`,
  ]);
  io.stdout(formatTable([['capsule', 'origin', 'works as', ...figureColumns, 'for'], ...cells]));
  return exitCodes.completed;
}
