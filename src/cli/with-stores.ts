import { redactorOfNames } from '../app/wiring/known-secrets.ts';
import { installFolder } from '../config/install-folder.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { Stores } from '../coordinator/open-stores.ts';
import type { CommandArguments, CommandIo } from './command.ts';

/** What a command that reads and writes rows, and starts no run, works with. */
export interface WithStores {
  readonly stores: Stores;
  readonly settings: Settings;
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

/**
 * Opens the database for one command, and closes it behind it.
 *
 * @throws AppError `SETTINGS_INVALID`, and what opening the database throws.
 */
export async function withStores(
  args: CommandArguments,
  io: CommandIo,
  body: (here: WithStores) => number | Promise<number>,
): Promise<number> {
  const { environment, cwd } = io;
  const { settings } = await loadSettings({ environment, cwd, installFolder: installFolder() });
  const { openStores } = await import('../coordinator/open-stores.ts');
  const stores = openStores(settings.places.stateDir, {
    redactor: redactorOfNames(io.environment),
  });
  try {
    return await body({ stores, settings, args, io });
  } finally {
    stores.close();
  }
}
