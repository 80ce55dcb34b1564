import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import type { LoadedSettings, Settings } from '../../config/settings.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import type { CommandIo } from '../../cli/command.ts';

/**
 * The settings for a run that goes on: those that it began with; keys, places, the network and the log level are those of today.
 *
 * @param options Of the command: its longest time from now on, and the isolation that is required from now on.
 */
export async function settingsOfRun(
  run: RunRecord,
  { timeout, requireIsolation }: Readonly<Record<string, unknown>>,
  { environment, cwd }: CommandIo,
): Promise<LoadedSettings> {
  const loaded = await loadSettings({
    flags: { workspace: run.workspace, provider: run.provider, timeout, requireIsolation },
    environment,
    cwd,
    installFolder: installFolder(),
  });
  const { runTimeoutMs, logLevel, isolation, sandboxRead } = loaded.settings;
  const today = { runTimeoutMs, logLevel, isolation, sandboxRead };
  const begunWith = run.options as Partial<Settings>;
  return { ...loaded, settings: { ...loaded.settings, ...begunWith, ...today } };
}
