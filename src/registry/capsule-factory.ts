import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../errors.ts';
import { firstFree, toCapsuleId } from './capsule-id.ts';
import { type Capsule, readCapsule } from './capsule-store.ts';
import { Manifest, type ToolGrant } from './manifest.ts';

/** Ids that mean something else: the coordinator's own calls, and the folder of skills. */
const reserved = new Set(['coordinator', 'skills']);

/** A capsule as a model describes it. Any of it may be wrong or too much. */
export interface CapsuleProfile {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly skills: readonly string[];
  readonly tools: readonly string[];
}

export interface CreateCapsuleOptions {
  readonly profile: CapsuleProfile;
  /** `capsule-template/`: its manifest's task kinds, its entrypoint and its `skill.md` are taken as they are. */
  readonly templateDir: string;
  /** The `agents/` folder that gets the capsule. */
  readonly targetDir: string;
  /** Ids of the capsules that there are. */
  readonly taken?: ReadonlySet<string> | undefined;
  /** The most that may be granted, by tool. What the profile names beyond it is not granted. */
  readonly grantable: Readonly<Record<string, ToolGrant>>;
  /** Ids of the skills that there are. */
  readonly skills: ReadonlySet<string>;
}

/**
 * Makes a capsule of the person's own from the template: files 0600, folders 0700, complete under a temporary name and
 * only then renamed.
 *
 * @throws AppError `MANIFEST_INVALID` where the template is broken.
 */
export async function createCapsule(options: CreateCapsuleOptions): Promise<Capsule> {
  const { profile, templateDir, targetDir, taken } = options;
  await mkdir(targetDir, { recursive: true, mode: 0o700 });
  const id = firstFree(
    toCapsuleId(profile.id.trim() === '' ? profile.name : profile.id),
    (candidate) =>
      reserved.has(candidate) ||
      taken?.has(candidate) === true ||
      existsSync(join(targetDir, candidate)),
  );
  const draft = join(targetDir, `.draft-${randomBytes(6).toString('hex')}`);
  const dir = join(targetDir, id);
  try {
    await cp(templateDir, draft, {
      recursive: true,
      verbatimSymlinks: true,
      // The template's README is for people who fill it in by hand.
      filter: (path) => path !== join(templateDir, 'README.md'),
    });
    const manifest = fillIn(await readFile(join(draft, 'manifest.json'), 'utf8'), id, options);
    await writeFile(join(draft, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    await closeToOthers(draft);
    await rename(draft, dir);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return readCapsule(dir, 'personal');
}

/** The template's manifest with the identity of the new capsule. */
function fillIn(template: string, id: string, options: CreateCapsuleOptions): Manifest {
  try {
    return Manifest.parse({ ...JSON.parse(template), ...identityOf(id, options) });
  } catch (error) {
    const path = join(options.templateDir, 'manifest.json');
    throw new AppError('MANIFEST_INVALID', { path, issues: messageOf(error) }, { cause: error });
  }
}

function identityOf(id: string, { profile, grantable, skills }: CreateCapsuleOptions) {
  const name = oneLine(profile.name).slice(0, 100) || id;
  const tools = profile.tools.filter((tool) => Object.hasOwn(grantable, tool));
  return {
    id,
    name,
    version: '1.0.0',
    description: oneLine(profile.description).slice(0, 1_000) || name,
    skills: [...new Set(profile.skills.filter((skill) => skills.has(skill)))],
    grants: {
      tools: Object.fromEntries(tools.map((tool) => [tool, grantable[tool]])),
      services: [],
    },
  };
}

/** Control and format characters would hide something from the person who reads the manifest. */
const oneLine = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim();

async function closeToOthers(dir: string): Promise<void> {
  await chmod(dir, 0o700);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await closeToOthers(path);
    else await chmod(path, 0o600);
  }
}
