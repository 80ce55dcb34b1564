import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { AppError, messageOf } from '../errors.ts';
import { readFrontMatter } from './front-matter.ts';

const MAX_SKILL_BYTES = 256 * 1024;
const idPattern = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;

const Attributes = z.object({
  name: z.string().min(1).max(100),
  description: z.string().min(1).max(1_024),
});

/** A shared Markdown module. Its id is the name of its file, or of its folder. */
export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly path: string;
  /** Markdown, a template, without the front matter. */
  readonly body: string;
  /** SHA-256 of the file. */
  readonly hash: string;
}

export interface SkillCatalogue {
  list(): readonly Skill[];
  /** @throws AppError `SKILL_UNKNOWN`; `where` says who names it. */
  get(id: string, where: string): Skill;
}

/**
 * Reads the catalogue from the front matter of `<id>.md` and `<id>/SKILL.md` in each folder; folders that are missing
 * are passed over. The first folder that has an id keeps it. A file that can't be read is left out, and that is said.
 */
export async function loadSkills(
  dirs: readonly string[],
): Promise<{ catalogue: SkillCatalogue; problems: string[] }> {
  const skills = new Map<string, Skill>();
  const problems: string[] = [];
  for (const { id, path } of dirs.flatMap(findSkillFiles)) {
    try {
      const skill = await readSkill(id, path);
      const before = skills.get(id);
      if (before) throw new Error(`the skill "${id}" is already taken by ${before.path}`);
      skills.set(id, skill);
    } catch (error) {
      problems.push(`${path} was left out: ${messageOf(error)}`);
    }
  }
  return { catalogue: createCatalogue(skills), problems };
}

function createCatalogue(skills: ReadonlyMap<string, Skill>): SkillCatalogue {
  return {
    list: () => [...skills.values()],
    get(id, where) {
      const skill = skills.get(id);
      if (skill) return skill;
      throw new AppError('SKILL_UNKNOWN', { skill: id, where, known: [...skills.keys()] });
    },
  };
}

function findSkillFiles(dir: string): { id: string; path: string }[] {
  return entriesOf(dir)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isFile() && entry.name.endsWith('.md') && entry.name !== 'README.md') {
        return [{ id: basename(entry.name, '.md'), path: join(dir, entry.name) }];
      }
      const path = join(dir, entry.name, 'SKILL.md');
      const isFolder = entry.isDirectory() && statSync(path, { throwIfNoEntry: false })?.isFile();
      return isFolder ? [{ id: entry.name, path }] : [];
    });
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function readSkill(id: string, path: string): Promise<Skill> {
  if (!idPattern.test(id)) {
    throw new Error(
      `"${id}" is no skill id; use lower-case words joined by hyphens or underscores`,
    );
  }
  const { size } = statSync(path);
  if (size > MAX_SKILL_BYTES) {
    throw new Error(`it has ${size} bytes; a skill may have ${MAX_SKILL_BYTES}`);
  }
  const text = readFileSync(path, 'utf8');
  const { attributes, body } = await readFrontMatter(text);
  const parsed = Attributes.safeParse(attributes);
  if (!parsed.success)
    throw new Error(`its front matter is invalid: ${z.prettifyError(parsed.error)}`);
  return { id, ...parsed.data, path, body, hash: createHash('sha256').update(text).digest('hex') };
}
