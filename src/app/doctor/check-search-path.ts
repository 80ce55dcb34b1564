import { homedir } from 'node:os';
import type { Settings } from '../../config/settings.ts';
import { printable } from '../../contract/text/printable.ts';
import { isInside, resolveExisting } from '../../tools/files/paths.ts';
import { hiddenFolders } from '../../tools/programs/hidden-programs.ts';
import type { Environment } from '../open-options.ts';
import { openIsolation } from '../wiring/isolation.ts';
import { type Check, checksOf } from './check.ts';

const { warn } = checksOf('programs');

/** Programs of the person that commands can't see in the sandbox, and the value of the setting that opens them. */
export async function checkSearchPath(
  settings: Settings,
  environment: Environment,
): Promise<Check[]> {
  const { workspace, places, sandboxRead } = settings;
  const { sandbox } = await openIsolation(settings, false);
  const searchPath = environment['PATH'] ?? '';
  const closed = [homedir(), ...Object.values(places)].map(resolveExisting);
  const folders = hiddenFolders({ workspace, searchPath, sees: sandbox.sees }).filter(
    (folder) => !closed.some((one) => isInside(resolveExisting(folder), one)),
  );
  if (folders.length === 0) return [];
  const value = [...sandboxRead, ...folders].join(':');
  return [
    warn(
      'own programs',
      printable(`commands can't see what is in ${folders.join(', ')}`),
      printable(`If commands need it, set CAPSTAN_SANDBOX_READ=${value}`),
    ),
  ];
}
