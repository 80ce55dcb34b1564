import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import type { CapsuleArchive } from '../../registry/archive/capsule-archive.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CommandDefinition } from '../command.ts';
import { confirm } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { archiveText } from './capsules-archive-text.ts';
import { assertFreeId } from './capsules-free-id.ts';
import { type CapsulesHere, jsonOption, withCapsules } from './capsules-ground.ts';
import { beginAnew, PERSON, withRecords } from './capsules-records.ts';

export const capsulesImport: CommandDefinition = {
  name: 'import',
  summary: 'Make an exported capsule one of your own, once you agree to what it may ask for',
  arguments: '<file>',
  options: [
    { flags: '--as <id>', description: 'under this id, where its own is taken' },
    { flags: '-y, --yes', description: 'agree to its grants without a question' },
    jsonOption,
  ],
  examples: [
    'capstan capsules import mine.capsule.json',
    'capstan capsules import mine.capsule.json --as theirs',
  ],
  run: withCapsules(importCapsule),
};

async function importCapsule(here: CapsulesHere): Promise<number> {
  const { args, io, personal } = here;
  const source = args.positionals[0] ?? '';
  const { readArchive } = await import('../../registry/archive/capsule-archive.ts');
  const archive = readArchive(readBounded(resolve(io.cwd, source)), printable(source));
  const id = await freeId(here, archive.id);
  makeFolder(personal);
  const { draftFolder } = await import('../../registry/create/draft-folder.ts');
  const draft = draftFolder(personal);
  try {
    const capsule = await unpackAs(id, { archive, draft, source });
    io.stderr(archiveText(archive, capsule, printable(source)));
    if (args.options['yes'] !== true && !(await confirm(`Import "${id}" with these grants?`, io))) {
      io.stderr('Nothing was imported.\n');
      return exitCodes.failed;
    }
    const imported = await take(here, { capsule, archive });
    const { keepSchemas } = await import('../../app/wiring/keep-schemas.ts');
    keepSchemas(here.loaded.settings.places);
    tell(here, imported);
    return exitCodes.completed;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @throws AppError `ARCHIVE_INVALID` where it is no file, or too long to be an archive. */
function readBounded(path: string): string {
  const fail = (problem: string) => new AppError('ARCHIVE_INVALID', { path, problem });
  let file: number;
  try {
    // A pipe that nobody writes to would hold us.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw fail(messageOf(error));
  }
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) throw fail('it is no file');
    if (facts.size > MOST_BYTES) throw fail(`it has more than ${MOST_BYTES} bytes`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

const MOST_BYTES = 48 * 1024 * 1024;

/** The id that it gets. */
async function freeId(here: CapsulesHere, own: string): Promise<string> {
  const wished = here.args.options['as'];
  const id = String(wished ?? own);
  const from = wished === undefined ? "The archive's id" : '--as';
  await assertFreeId(here, id, { from, advice: 'Choose another one with --as <id>.' });
  return id;
}

interface Unpack {
  readonly archive: CapsuleArchive;
  readonly draft: string;
  readonly source: string;
}

/** @throws AppError `ARCHIVE_INVALID` where what lies in it is no capsule that could be used here. */
async function unpackAs(id: string, { archive, draft, source }: Unpack): Promise<Capsule> {
  const { unpackArchive, withId } = await import('../../registry/archive/capsule-archive.ts');
  const { readCapsule } = await import('../../registry/capsule-store.ts');
  const { toolbox } = await import('../../tools/toolbox.ts');
  const dir = join(draft, id);
  const path = printable(source);
  try {
    makeFolder(draft);
    unpackArchive(withId(archive, id), dir);
    const capsule = readCapsule(dir, 'personal');
    const tools = Object.keys(capsule.manifest.grants.tools);
    const unknown = tools.find((tool) => !toolbox.has(tool));
    if (unknown === undefined) return capsule;
    throw new Error(`it asks for the tool "${printable(unknown)}", which does not exist`);
  } catch (error) {
    const problem = messageOf(error).replaceAll(dir, path).replace(/\.$/, '');
    throw new AppError('ARCHIVE_INVALID', { path, problem }, { cause: error });
  }
}

/** It begins without trust, and what was agreed to is these files. */
async function take(
  { personal, stateDir }: CapsulesHere,
  { capsule, archive }: { readonly capsule: Capsule; readonly archive: CapsuleArchive },
): Promise<Capsule> {
  const { id, hash } = capsule;
  const dir = join(personal, id);
  renameSync(capsule.dir, dir);
  const imported: Capsule = { ...capsule, dir };
  makeFolder(stateDir);
  await withRecords(stateDir, (records) =>
    records.write(() => {
      beginAnew(records, imported);
      const detail = { dir, hash, archive: archive.sha256, archived_as: archive.id };
      const action = 'capsule.imported';
      records.audit.append({ actor: PERSON, action, runId: null, ref: id, detail });
    }),
  );
  return imported;
}

function tell({ args, io }: CapsulesHere, { id, dir, hash, manifest }: Capsule): void {
  if (args.options['json'] === true)
    printJson(io, { imported: id, dir, hash, grants: manifest.grants });
  else io.stdout(`Imported "${id}": ${dir}\n`);
}
