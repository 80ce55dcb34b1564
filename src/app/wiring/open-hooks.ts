import { homedir } from 'node:os';
import { readHooksFile } from '../../config/files/hooks-file.ts';
import type { Settings } from '../../config/settings.ts';
import type { EventBus } from '../../events/bus.ts';
import { createHooks, type Hooks, noHooks } from '../../hooks/hooks.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import type { Environment } from '../open-options.ts';

interface HookContext {
  readonly events: EventBus;
  readonly redactor: Redactor;
  readonly environment: Environment;
}

/**
 * The user's hooks, from `hooks.yaml` of the settings folder.
 *
 * @throws AppError `SETTINGS_INVALID`.
 */
export async function openHooks(
  { places }: Settings,
  { events, redactor, environment }: HookContext,
): Promise<Hooks> {
  const texts = await readHooksFile(places.configDir);
  if (texts.length === 0) return noHooks;
  const definitions = texts.map(({ command, module, timeout_ms: timeoutMs, ...rest }) => ({
    ...rest,
    timeoutMs,
    run: command === undefined ? { module: module ?? '' } : { command },
  }));
  return createHooks(definitions, {
    searchPath: environment['PATH'] ?? '/usr/bin:/bin',
    home: homedir(),
    clean: redactor.redact,
    onProblem: (run_id, text) => events.emit({ type: 'run.noticed', run_id, text }),
  });
}
