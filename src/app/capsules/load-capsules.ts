import { join, resolve } from 'node:path';
import { agentsFolder } from '../../config/files/agent-folders.ts';
import { readCapsules } from '../../registry/capsule-store.ts';
import { personAt } from '../calls/assert-actor.ts';
import type { AppContext } from '../context/open-context.ts';
import type { SettingsOverrides } from '../context/open-options.ts';
import { capsuleRoots } from '../wiring/registry/capsule-roots.ts';

/** Options of every function of `capstan.capsules`. */
export interface CapsuleOptions {
  /** Overrides of settings, for example `workspace`, whose capsules count too, and `trustProject`. */
  readonly settings?: SettingsOverrides | undefined;
  /** The surface through which the user acts, for the audit: `cli`, `web`. Default: `api`. */
  readonly by?: string | undefined;
  /** Receives notices for the user, for example that a capsule was left out, and why. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

/** The capsules of the user, and where they are. */
export type LoadedCapsules = Awaited<ReturnType<typeof loadCapsules>>;

/**
 * Reads the capsules that the settings name. Reports each capsule that had to be left out.
 *
 * @param named Id or folder of a capsule that the caller reads itself: its error is not reported here too.
 * @throws AppError `USAGE` if `by` is refused; `SETTINGS_INVALID`.
 */
export async function loadCapsules(
  context: AppContext,
  { settings, by = 'api', onNotice = () => {} }: CapsuleOptions,
  named?: string,
) {
  /** Who acts, as in the audit: `person:cli`. */
  const actor = context.redactor.redact(personAt(by));
  const loaded = await context.settings(settings);
  const { places } = loaded.settings;
  /** `agents/` of the user's data folder: own capsules, and the memory of every capsule. */
  const personal = agentsFolder(places);
  const roots = capsuleRoots(loaded);
  const { capsules, problems } = readCapsules(roots);
  const own = named === undefined ? [] : [join(personal, named), resolve(context.cwd, named)];
  const isOwn = (problem: string) =>
    own.some((dir) => [`${dir}/manifest.json `, `${dir}: `].some((it) => problem.startsWith(it)));
  for (const problem of problems) if (!isOwn(problem)) onNotice(problem);
  /** The folder of deleted capsules. */
  const archive = join(places.dataDir, 'archive');
  return { context, loaded, capsules, roots, personal, archive, actor, notice: onNotice };
}
