import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { newestArchived } from './capsules-archived.ts';
import {
  type CapsulesHere,
  findCapsule,
  jsonOption,
  projectOptions,
  withCapsules,
} from './capsules-ground.ts';
import { PERSON, withRecords } from './capsules-records.ts';

export const capsulesRestore: CommandDefinition = {
  name: 'restore',
  summary: 'Take a capsule back: out of quarantine, or a deleted one out of the archive',
  arguments: '<id>',
  options: [...projectOptions, jsonOption],
  examples: ['capstan capsules restore mine'],
  run: withCapsules(restore),
};

async function restore(here: CapsulesHere): Promise<number> {
  const { capsules, args, personal } = here;
  const [id = ''] = args.positionals;
  const isThere =
    capsules.some((one) => one.id === id) || existsSync(join(personal, id, 'manifest.json'));
  const kept = isThere ? undefined : newestArchived(here.archive, id);
  return kept === undefined
    ? fromQuarantine(here, findCapsule(here))
    : fromArchive(here, { id, kept });
}

async function fromQuarantine(
  { args, io, stateDir }: CapsulesHere,
  capsule: Capsule,
): Promise<number> {
  const { id } = capsule;
  const why = { because: 'a person took it back', actor: PERSON };
  const wasHeld = await withRecords(stateDir, (records) =>
    records.write(() => records.quarantine.lift(capsule, why)),
  );
  if (args.options['json'] === true)
    printJson(io, { restored: wasHeld ? id : null, from: wasHeld ? 'quarantine' : null });
  else io.stdout(wasHeld ? `"${id}" can be chosen again.\n` : `"${id}" is not quarantined.\n`);
  return exitCodes.completed;
}

/** Memory and logs come back with it. It is asked about before it runs where its files were changed meanwhile. */
async function fromArchive(
  { args, io, personal, stateDir }: CapsulesHere,
  { id, kept }: { readonly id: string; readonly kept: string },
): Promise<number> {
  const dir = join(personal, id);
  if (existsSync(dir)) {
    const problem = `${dir} is in the way: it holds records of another capsule. Move it away first.`;
    throw new AppError('USAGE', { problem });
  }
  makeFolder(personal);
  renameSync(kept, dir);
  await withRecords(stateDir, ({ write, audit }) =>
    write(() => {
      const detail = { dir, from: kept };
      audit.append({ actor: PERSON, action: 'capsule.restored', runId: null, ref: id, detail });
    }),
  );
  if (args.options['json'] === true) printJson(io, { restored: id, from: 'archive', dir });
  else io.stdout(`"${id}" is back from the archive: ${dir}\n`);
  return exitCodes.completed;
}
