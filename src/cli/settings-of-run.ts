import { installFolder } from '../config/install-folder.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { LoadedSettings, Settings } from '../config/settings.ts';
import type { RunRecord } from '../coordinator/run-store.ts';
import type { CommandIo } from './command.ts';

/**
 * The settings for a run that goes on: those that it began with; keys, places, the network and the log level are those of today.
 *
 * @param timeout Its longest time from now on, in seconds, as it was written.
 */
export async function settingsOfRun(
  run: RunRecord,
  timeout: unknown,
  { environment, cwd }: CommandIo,
): Promise<LoadedSettings> {
  const loaded = await loadSettings({
    flags: { workspace: run.workspace, provider: run.provider, timeout },
    environment,
    cwd,
    installFolder: installFolder(),
  });
  const { runTimeoutMs, logLevel } = loaded.settings;
  const begunWith = run.options as Partial<Settings>;
  return { ...loaded, settings: { ...loaded.settings, ...begunWith, runTimeoutMs, logLevel } };
}
