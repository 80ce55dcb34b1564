import { existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { agentsFolder } from '../../config/files/agent-folders.ts';
import { isFolderTrusted, trustAll } from '../../config/project/project-files.ts';
import { AppError, failedWith } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import { REVIEW_AND_TRUST } from '../../contract/text/trust-notice.ts';
import { usage } from '../../contract/usage.ts';
import { folderEntries } from '../../platform/files/folder-entries.ts';
import { isInside } from '../../platform/files/inside.ts';
import { capsuleProblem } from '../../registry/capsule-problem.ts';
import {
  type Capsule,
  leftOut,
  readCapsule,
  readCapsules,
  readLooseCapsule,
} from '../../registry/capsule-store.ts';
import { isReservedId } from '../../registry/create/capsule-id.ts';
import { Manifest } from '../../registry/manifest/manifest.ts';
import { loadSkills } from '../../registry/overlay/skills.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { personAt } from '../calls/assert-actor.ts';
import type { AppContext, SettingsOverrides } from '../context/open-context.ts';
import { capsuleRoots, skillRoots } from '../wiring/registry/capsule-roots.ts';

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

/**
 * The capsule with this id.
 *
 * @throws AppError `CAPSULE_UNKNOWN`; `MANIFEST_INVALID` or `OVERLAY_INVALID` if it is the user's own and broken.
 */
export function findCapsule(
  { capsules, personal, loaded }: Pick<LoadedCapsules, 'capsules' | 'personal' | 'loaded'>,
  id: string,
): Capsule {
  const capsule = capsules.find((one) => one.id === id);
  if (capsule) return capsule;
  const dir = join(personal, id);
  if (/^[\w-]+$/.test(id) && basename(dir) === id && existsSync(join(dir, MANIFEST)))
    return readCapsule(dir, 'personal');
  const isUntrusted = untrustedFolder(loaded, id) !== undefined;
  throw new AppError('CAPSULE_UNKNOWN', { id, known: capsules.map((one) => one.id), isUntrusted });
}

const MANIFEST = 'manifest.json';

/** The folder of the project's capsule with this id, if it is not trusted. */
function untrustedFolder({ project }: LoadedCapsules['loaded'], id: string): string | undefined {
  const path = `agents/${id}`;
  const exists = project.files.some((file) => file.path === `${path}/${MANIFEST}`);
  return exists && !isFolderTrusted(project, path) ? join(project.folder, path) : undefined;
}

/**
 * The capsule with this id, for viewing and trying it: also one of the project that is not trusted.
 *
 * @throws As `findCapsule` and `readLooseCapsule`.
 */
export function findShown(loaded: LoadedCapsules, id: string): Capsule {
  try {
    return findCapsule(loaded, id);
  } catch (error) {
    const dir = failedWith(error, 'CAPSULE_UNKNOWN') && untrustedFolder(loaded.loaded, id);
    if (!dir) throw error;
    loaded.notice(`Files in ${dir} are not trusted, so runs leave it out. ${REVIEW_AND_TRUST}`);
    return readLooseCapsule(realpathSync(dir));
  }
}

/**
 * The capsule that its author names by id or by folder, which may be anywhere. It need not be trusted.
 *
 * @throws AppError `CAPSULE_UNKNOWN`, `USAGE`, and errors of `readLooseCapsule`.
 */
export function findAuthored(loaded: LoadedCapsules, named: string): Capsule {
  const dir = resolve(loaded.context.cwd, named);
  const isPath = /[/\\.]/.test(named);
  const isId = loaded.capsules.some(({ id }) => id === named) || !existsSync(dir);
  if (!isPath && isId) return findShown(loaded, named);
  if (!existsSync(dir))
    throw usage(`There is no folder ${dir}. Name a capsule by its id, or by a folder that exists.`);
  const real = realpathSync(dir);
  return loaded.capsules.find((one) => realpathSync(one.dir) === real) ?? readLooseCapsule(real);
}

/** Reads the same capsule again; a shipped one with the user's overlay. */
export function readAgain({ roots }: LoadedCapsules, { id, dir, origin }: Capsule): Capsule {
  return basename(dir) === id ? readCapsule(dir, origin, roots) : readLooseCapsule(dir);
}

/** The ids of the user's own capsules, valid or not. A folder without a manifest only holds records. */
export function ownIds(personal: string): string[] {
  return folderEntries(personal)
    .filter((entry) => entry.isDirectory() && existsSync(join(personal, entry.name, MANIFEST)))
    .map(({ name }) => name)
    .filter((name) => name !== 'skills' && !name.startsWith('.'))
    .sort();
}

/** The folder of the user's own capsule with this id; undefined if there is none. */
export const ownFolder = (personal: string, id: string): string | undefined =>
  ownIds(personal).includes(id) ? join(personal, id) : undefined;

/**
 * Checks that a new capsule can have this id.
 *
 * @throws AppError `USAGE` with field `id` if the id is invalid, or belongs to a capsule or to another folder.
 */
export function assertFreeId(
  { capsules, personal }: Pick<LoadedCapsules, 'capsules' | 'personal'>,
  id: string,
): void {
  const fail = (problem: string) => usage(problem, 'id');
  const parsed = Manifest.shape.id.safeParse(id);
  if (!parsed.success || isReservedId(id))
    throw fail(`"${printable(id)}" can't be the id of a capsule.`);
  const holder = capsules.find((one) => one.id === id);
  if (holder) throw fail(`The id "${id}" belongs to a ${holder.origin} capsule.`);
  if (existsSync(join(personal, id))) throw fail(`${join(personal, id)} exists already.`);
}

/** The capsules that a run would use. Reports each one that a run would leave out, and why. */
export async function usableCapsules(
  loaded: LoadedCapsules,
  among: readonly Capsule[] = loaded.capsules,
): Promise<readonly Capsule[]> {
  const skills = await readSkills(loaded);
  return among.filter((capsule) => {
    const problem = capsuleProblem(capsule, skills, toolbox);
    if (problem !== undefined) loaded.notice(leftOut(capsule, problem));
    return problem === undefined;
  });
}

/**
 * Makes a function that reads the skills as they are now, and reports each skill that was left out once.
 *
 * @param capsule Whose author reads them: with one of the project, its skills need no trust either. Default: as a run.
 */
export function skillsReader({ loaded, notice }: LoadedCapsules, capsule?: Pick<Capsule, 'dir'>) {
  const reported = new Set<string>();
  return async () => {
    const { settings, project } = loaded;
    const isOfProject = capsule && isInside(join(project.folder, 'agents'), capsule.dir);
    const roots = skillRoots(settings.places, isOfProject ? trustAll(project) : project);
    const { catalogue, problems } = await loadSkills(roots);
    for (const problem of problems.filter((one) => !reported.has(one))) {
      reported.add(problem);
      notice(problem);
    }
    return catalogue;
  };
}

export const readSkills = (loaded: LoadedCapsules, capsule?: Pick<Capsule, 'dir'>) =>
  skillsReader(loaded, capsule)();
