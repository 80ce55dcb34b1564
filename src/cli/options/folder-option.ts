import type { CommandOption } from '../command.ts';
import type { CommandContext } from '../with-capstan.ts';
import { textOption } from './option-value.ts';

/** For lists that show one folder. */
export const allFolders: CommandOption = { flags: '--all', description: 'of all folders' };

/** The folder whose runs to list; undefined for those of all folders. */
export const folderOption = ({
  args: { options },
  io: { environment },
}: Pick<CommandContext, 'args' | 'io'>): string | undefined =>
  options['all'] === true
    ? undefined
    : (textOption(options['workspace']) ?? (environment['CAPSTAN_WORKSPACE'] || '.'));

/** What a list says that has no rows. @param what `runs`. */
export const noneText = (what: string, folder: string | undefined): string =>
  folder === undefined
    ? `There are no ${what} yet.\n`
    : `There are no ${what} of this folder yet. Those of all folders: capstan ${what} list --all\n`;
