import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { isFolderTrusted } from '../../config/project-files.ts';
import type { LoadedSettings } from '../../config/settings.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Capsule, readCapsule } from '../../registry/capsule-store.ts';
import type { CommandArguments, CommandIo, CommandOption } from '../command.ts';

/** What the subcommands of `capsules` work with. */
export interface CapsulesHere {
  readonly capsules: readonly Capsule[];
  readonly readCapsule: typeof readCapsule;
  readonly args: CommandArguments;
  readonly io: CommandIo;
  readonly loaded: LoadedSettings;
  /** `agents/` of the person's data folder: own capsules, and every capsule's memory. */
  readonly personal: string;
  readonly archive: string;
  readonly stateDir: string;
}

export const jsonOption: CommandOption = { flags: '--json', description: 'print JSON' };

/** Options of what looks at a project's capsules, too. */
export const projectOptions: readonly CommandOption[] = [
  { flags: '-w, --workspace <dir>', description: 'the folder whose capsules to show, too' },
  { flags: '--trust-project', description: "take the project's files as trusted, this once" },
];

/** A subcommand's `run`, given the capsules that there are. What was left out of them is told. */
export const withCapsules =
  (body: (here: CapsulesHere) => Promise<number> | number) =>
  async (args: CommandArguments, io: CommandIo): Promise<number> => {
    const { environment, cwd } = io;
    const install = installFolder();
    const loaded = await loadSettings({
      flags: args.options,
      environment,
      cwd,
      installFolder: install,
    });
    const { readCapsule, readCapsules } = await import('../../registry/capsule-store.ts');
    const { dataDir, stateDir } = loaded.settings.places;
    const personal = join(dataDir, 'agents');
    const { capsules, problems } = readCapsules({
      shipped: join(install, 'agents'),
      personal,
      project: {
        dir: join(loaded.project.folder, 'agents'),
        isTrusted: (id) => isFolderTrusted(loaded.project, `agents/${id}`),
      },
    });
    for (const text of problems) io.stderr(`note: ${escapeText(text, true)}\n`);
    const archive = join(dataDir, 'archive');
    return body({ capsules, readCapsule, args, io, loaded, personal, archive, stateDir });
  };

/**
 * The capsule that is named.
 *
 * @throws AppError `CAPSULE_UNKNOWN`; of one's own that is broken, what is wrong with it.
 */
export function findCapsule({
  capsules,
  args,
  personal,
  readCapsule: read,
}: CapsulesHere): Capsule {
  const [id = ''] = args.positionals;
  const capsule = capsules.find((one) => one.id === id);
  if (capsule) return capsule;
  const dir = join(personal, id);
  if (/^[\w-]+$/.test(id) && basename(dir) === id && existsSync(join(dir, 'manifest.json')))
    return read(dir, 'personal');
  throw new AppError('CAPSULE_UNKNOWN', { id, known: capsules.map((one) => one.id) });
}
