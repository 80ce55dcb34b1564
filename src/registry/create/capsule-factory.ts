import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import { codeOf, tryOr } from '../../platform/try-or.ts';
import type { Redactor } from '../../policy/secrets/redact.ts';
import { type Capsule, readCapsule } from '../capsule-store.ts';
import { Manifest } from '../manifest/manifest.ts';
import { firstFree, isReservedId, toCapsuleId } from './capsule-id.ts';
import { draftFolder } from './draft-folder.ts';
import { limitGrants } from './limit-grants.ts';

export interface DraftOptions {
  readonly profile: CapsuleProfile;
  /** `capsule-template/`: new capsules get its task kinds, its entrypoint and its `skill.md`. */
  readonly templateDir: string;
  /** The `agents/` folder that gets the capsule. */
  readonly targetDir: string;
  /** Ids of all capsules. */
  readonly taken?: ReadonlySet<string> | undefined;
  /** The largest grants, by tool. A profile that asks for more gets these. */
  readonly grantable: Readonly<Record<string, ToolGrant>>;
  /** Ids of all skills. */
  readonly skills: ReadonlySet<string>;
  /** Removes known secrets from the profile first. */
  readonly redactor: Redactor;
}

/** The complete content of a capsule that is not written yet, for a person to review. */
export interface CapsuleDraft {
  readonly manifest: Manifest;
  /** The text of its `skill.md`. */
  readonly overlay: string;
  readonly templateDir: string;
  /** Its folder. */
  readonly dir: string;
}

/**
 * Drafts a personal capsule from the template. The same profile gives the same draft, even after it was written.
 *
 * @throws AppError `MANIFEST_INVALID` if the template is broken.
 */
export async function draftCapsule(given: DraftOptions): Promise<CapsuleDraft> {
  const options = { ...given, profile: given.redactor.redact(given.profile) };
  const { profile, templateDir, targetDir, taken } = options;
  const template = await readFile(join(templateDir, 'manifest.json'), 'utf8');
  const overlay = overlayFrom(profile, await readFile(join(templateDir, 'skill.md'), 'utf8'));
  const draftAs = (id: string): CapsuleDraft => {
    const manifest = fillIn(template, id, options);
    return { manifest, overlay, templateDir, dir: join(targetDir, id) };
  };
  const isTaken = (id: string): boolean => {
    if (isReservedId(id)) return true;
    const isThere = taken?.has(id) === true || existsSync(join(targetDir, id));
    return isThere && !isWritten(draftAs(id));
  };
  return draftAs(firstFree(requestedId(profile), isTaken));
}

/**
 * Writes the capsule under a temporary name and then renames it: files with mode 0600, folders with 0700. An identical
 * capsule that exists already is not changed.
 */
export async function writeCapsule(draft: CapsuleDraft): Promise<Capsule> {
  const { manifest, overlay, templateDir, dir } = draft;
  if (isWritten(draft)) return readCapsule(dir, 'personal');
  const folder = join(dir, '..');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = draftFolder(folder);
  try {
    await cp(templateDir, temporary, {
      recursive: true,
      verbatimSymlinks: true,
      // The template's README is for people who fill it in by hand.
      filter: (path) => path !== join(templateDir, 'README.md'),
    });
    await writeFile(join(temporary, 'manifest.json'), manifestText(manifest));
    await writeFile(join(temporary, 'skill.md'), overlay);
    await closeToOthers(temporary);
    await rename(temporary, dir);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const problem = 'another capsule was created there in the meantime';
    if (!isWritten(draft)) throw new AppError('PLACE_UNUSABLE', { path: dir, problem });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return readCapsule(dir, 'personal');
}

const isTaken = (error: unknown): boolean => ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '');

const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`;

function isWritten({ dir, manifest, overlay }: CapsuleDraft): boolean {
  return tryOr(() => {
    const read = (name: string) => readFileSync(join(dir, name), 'utf8');
    return read('manifest.json') === manifestText(manifest) && read('skill.md') === overlay;
  }, false);
}

/** The requested id, else one from the name or description; if those have no usable words, one from its skills or tools. */
function requestedId({ id, name, description, skills, grants }: CapsuleProfile): string {
  const [word = ''] = [...skills, ...Object.keys(grants)];
  const otherwise = toCapsuleId(word === '' ? 'capsule' : `${word} capsule`);
  const source = [id, name, description].find((text) => text.trim() !== '') ?? '';
  return toCapsuleId(source, otherwise);
}

const MAX_EXAMPLES = 5;

function fillIn(
  template: string,
  id: string,
  { profile, grantable, skills, templateDir }: DraftOptions,
): Manifest {
  const name = oneLine(profile.name).slice(0, 100) || id;
  const examples = profile.examples.map((text) => oneLine(text).slice(0, 500)).filter(Boolean);
  try {
    const json = Manifest.parse(JSON.parse(template));
    return Manifest.parse({
      ...json,
      id,
      name,
      version: '1.0.0',
      description: oneLine(profile.description).slice(0, 1_000) || name,
      skills: [...new Set(profile.skills.filter((skill) => skills.has(skill)))],
      grants: { tools: limitGrants(profile.grants, grantable), services: [] },
      // The examples go into the first task kind, which tasks are compared with.
      task_kinds: json.task_kinds.map((kind, i) =>
        i === 0 && examples.length > 0
          ? { ...kind, examples: examples.slice(0, MAX_EXAMPLES) }
          : kind,
      ),
    });
  } catch (error) {
    const details = { path: join(templateDir, 'manifest.json'), issues: messageOf(error) };
    throw new AppError('MANIFEST_INVALID', { ...details, found: [] }, { cause: error });
  }
}

/** The description of the capsule, as plain text even if it contains braces, then the template's overlay. */
function overlayFrom({ role }: CapsuleProfile, template: string): string {
  const text = oneLine(role).slice(0, 2_000).replaceAll('{{', '\\{{');
  return text === '' ? template : `${text}\n\n${template}`;
}

/** Without control and format characters, which could hide text from the person who reads the manifest. */
const oneLine = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim();

async function closeToOthers(dir: string): Promise<void> {
  await chmod(dir, 0o700);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await closeToOthers(path);
    else await chmod(path, 0o600);
  }
}

/** A capsule as described by a model, a person or the heuristic. Not validated yet. */
export interface CapsuleProfile {
  /** The requested id; if empty, it is made from the name. */
  readonly id: string;
  readonly name: string;
  /** What it does, and when to choose it. */
  readonly description: string;
  /** How it works, for the top of its overlay; may be empty. */
  readonly role: string;
  /** Example tasks, in a person's words. */
  readonly examples: readonly string[];
  /** Ids from the catalogue. */
  readonly skills: readonly string[];
  /** By tool. */
  readonly grants: Readonly<Record<string, ToolGrant>>;
}
