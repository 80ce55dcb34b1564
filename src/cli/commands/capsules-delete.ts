import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CommandDefinition } from '../command.ts';
import { confirm } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { archivedName } from './capsules-archived.ts';
import { type CapsulesHere, findCapsule, jsonOption, withCapsules } from './capsules-ground.ts';
import { ownFolder } from './capsules-own.ts';
import { forgetCapsule, PERSON, withRecords } from './capsules-records.ts';

export const capsulesDelete: CommandDefinition = {
  name: 'delete',
  summary: 'Move one of your own capsules, with its memory and logs, into the archive',
  arguments: '<id>',
  options: [{ flags: '-y, --yes', description: 'do not ask' }, jsonOption],
  examples: ['capstan capsules delete mine', 'capstan capsules delete mine --yes'],
  run: withCapsules(deleteCapsule),
};

/** One's own folder goes, also where nothing else can be done with it. */
async function deleteCapsule(here: CapsulesHere): Promise<number> {
  const { args, io, archive } = here;
  const [id = ''] = args.positionals;
  const dir = ownFolder(here, id) ?? refuse(findCapsule(here));
  if (args.options['yes'] !== true && !(await confirm(`Delete the capsule "${id}"?`, io))) {
    io.stderr('Nothing was deleted.\n');
    return exitCodes.failed;
  }
  makeFolder(archive);
  const kept = join(archive, archivedName(id, new Date()));
  renameSync(dir, kept);
  await forget(here, { id, dir, kept });
  if (args.options['json'] === true) printJson(io, { deleted: id, kept });
  else
    io.stdout(
      `Deleted "${id}". What it was is kept in ${kept} (back: capstan capsules restore ${id})\n`,
    );
  return exitCodes.completed;
}

function refuse({ id, origin, dir }: Capsule): never {
  const problem = `"${id}" is a ${origin} capsule (${dir}). Only your own can be deleted.`;
  throw new AppError('USAGE', { problem });
}

/** Another capsule may get the id: it begins without what this one earned. */
async function forget(
  { stateDir }: CapsulesHere,
  { id, dir, kept }: { readonly id: string; readonly dir: string; readonly kept: string },
): Promise<void> {
  if (!existsSync(join(stateDir, 'capstan.db'))) return;
  await withRecords(stateDir, (records) =>
    records.write(() => {
      forgetCapsule(records, { id, origin: 'personal', dir });
      const detail = { dir, kept };
      const action = 'capsule.deleted';
      records.audit.append({ actor: PERSON, action, runId: null, ref: id, detail });
    }),
  );
}
