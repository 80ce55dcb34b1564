import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { readTextFile } from '../../config/yaml/text-file.ts';
import { AppError, messageOf } from '../../contract/errors.ts';
import { folderEntries } from '../../platform/files/folder-entries.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { readFrontMatter } from './front-matter.ts';

const MAX_SKILL_BYTES = 256 * 1024;
const idPattern = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;

const names = z
  .union([z.string().transform((text) => text.split(/[\s,]+/)), z.array(z.string())])
  .transform((list) => list.filter((name) => name !== ''));

/** The front matter of a skill by the Agent Skills standard. Other fields are ignored. */
export const SkillAttributes = z.looseObject({
  name: z
    .string('it must be a text of 1 to 100 characters')
    .min(1, 'it must not be empty')
    .max(100, 'it may have 100 characters')
    .describe('In a folder with `SKILL.md`: the name of the folder.'),
  description: z
    .string('it must be a text of 1 to 1,024 characters')
    .min(1, 'it must not be empty')
    .max(1_024, 'it may have 1,024 characters')
    .describe('What the skill is for, and when to use it: capsules choose it by this.'),
  license: z.string('it must be a text').optional(),
  compatibility: z.string('it must be a text').max(500).optional(),
  metadata: z
    .record(z.string(), z.unknown(), 'it must be names with values')
    .optional()
    .describe('Anything else, by name.'),
  'allowed-tools': names
    .optional()
    .describe('Tools that it works with, separated by blanks. It grants none: manifests do.'),
});

/** A shared Markdown module. Its id is the name of its file, or of its folder. */
export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly path: string;
  /** Tools that it is written for. It does not grant them. */
  readonly tools: readonly string[];
  /** Markdown without the front matter. */
  readonly body: string;
  /** Whether `{{…}}` is filled in. In a `SKILL.md` it is plain text, since the standard has no templates. */
  readonly isTemplate: boolean;
  /** Line of the file in which the body begins, from 1. */
  readonly bodyLine: number;
  /** SHA-256 of the file. */
  readonly hash: string;
}

export type SkillCatalogue = ReturnType<typeof createCatalogue>;

/** A folder of skills. In a project's folder, only trusted skills are read. */
export interface SkillRoot {
  readonly dir: string;
  /** Whether the file or folder with this name is trusted in its current state. Default: all are. */
  readonly isTrusted?: (name: string) => boolean;
}

/**
 * Reads the catalogue from the front matter of `<id>.md` and `<id>/SKILL.md` in each folder that exists. The first folder
 * with an id wins. A file that can't be read is left out and reported.
 *
 * @param isWanted Whether a skill with this id is read. Default: all are.
 */
export async function loadSkills(
  roots: readonly SkillRoot[],
  isWanted: (id: string) => boolean = () => true,
): Promise<{ catalogue: SkillCatalogue; problems: string[] }> {
  const skills = new Map<string, Skill>();
  const untrusted = new Set<string>();
  const problems: string[] = [];
  for (const found of roots.flatMap(findSkillFiles).filter(({ id }) => isWanted(id))) {
    const { id, path } = found;
    if (!found.isTrusted) {
      untrusted.add(id);
      continue;
    }
    try {
      const skill = await readSkill(found);
      const before = skills.get(id);
      if (before) throw new Error(`the skill "${id}" is already taken by ${before.path}`);
      skills.set(id, skill);
    } catch (error) {
      problems.push(`${path} was left out: ${messageOf(error)}`);
    }
  }
  return { catalogue: createCatalogue(skills, untrusted), problems };
}

function createCatalogue(skills: ReadonlyMap<string, Skill>, untrusted: ReadonlySet<string>) {
  return {
    list: (): readonly Skill[] => [...skills.values()],
    /** @param where The file that names the skill. @throws AppError `SKILL_UNKNOWN`. */
    get(id: string, where: string): Skill {
      const skill = skills.get(id);
      if (skill) return skill;
      const known = [...skills.keys()];
      throw new AppError('SKILL_UNKNOWN', {
        ...{ skill: id, where, known },
        isUntrusted: untrusted.has(id),
      });
    },
  };
}

interface SkillFile {
  readonly id: string;
  readonly path: string;
  readonly isFolder: boolean;
  readonly isTrusted: boolean;
}

/** The names that may be skills; a folder may hold other files. */
function findSkillFiles({ dir, isTrusted: isNameTrusted = () => true }: SkillRoot): SkillFile[] {
  return folderEntries(dir)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): SkillFile[] => {
      const path = join(dir, entry.name);
      const isTrusted = isNameTrusted(entry.name);
      if (entry.isDirectory()) {
        const inside = join(path, 'SKILL.md');
        const isThere = lstatSync(inside, { throwIfNoEntry: false }) !== undefined;
        return isThere ? [{ id: entry.name, path: inside, isFolder: true, isTrusted }] : [];
      }
      const isSkill = entry.name.endsWith('.md') && entry.name !== 'README.md';
      return isSkill || entry.isSymbolicLink()
        ? [{ id: basename(entry.name, '.md'), path, isFolder: false, isTrusted }]
        : [];
    });
}

async function readSkill({ id, path, isFolder }: SkillFile): Promise<Skill> {
  if (lstatSync(path).isSymbolicLink())
    throw new Error('it is a link, whose target may change unnoticed. Copy the target');
  if (!idPattern.test(id)) {
    throw new Error(
      `"${id}" is not a skill id; use lower-case words joined by hyphens or underscores`,
    );
  }
  const file = readTextFile(path, MAX_SKILL_BYTES) ?? { problem: 'it no longer exists' };
  if ('problem' in file) throw new Error(file.problem.replace(/\.$/, ''));
  const { text } = file;
  const { attributes, body, bodyLine, lineOf } = await readFrontMatter(text);
  const parsed = SkillAttributes.safeParse(attributes);
  if (!parsed.success) throw new Error(problemsIn(parsed.error, lineOf));
  const { name, description, 'allowed-tools': tools = [] } = parsed.data;
  return {
    id,
    name,
    description,
    tools,
    path,
    body,
    bodyLine,
    isTemplate: !isFolder,
    hash: sha256(text),
  };
}

/** `line 2: description: it is missing; add it` */
function problemsIn({ issues }: z.ZodError, lineOf: (attribute: string) => number): string {
  const lines = issues.map(({ path: [name = ''], message }) => {
    const line = lineOf(String(name));
    const problem = line === 1 ? 'it is missing; add it' : message;
    return `line ${line}: ${String(name)}: ${problem}`;
  });
  return `its front matter is invalid: ${lines.join('; ')}`;
}
