import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { readTextFile } from '../../config/yaml/text-file.ts';
import { AppError, messageOf } from '../../contract/errors.ts';
import { folderEntries } from '../../platform/files/folder-entries.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';

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

const Attributes = z.record(z.string(), z.unknown());

/**
 * Splits a Markdown file into body and attributes: the YAML between two `---` lines at its start.
 *
 * One-line plain values are read here, and colons in them are text, as the Agent Skills parsers do. The YAML parser is
 * loaded only for other values.
 *
 * @throws Error with the problem and its line.
 */
export async function readFrontMatter(text: string) {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found)
    throw new Error(
      'line 1: it does not start with front matter between two lines of `---`. Add `---`, name, description, `---`',
    );
  const [whole, yaml = ''] = found;
  const rest = text.slice(whole.length);
  const body = rest.trim();
  const lines = yaml.split(/\r?\n/);
  return {
    attributes: readPlain(yaml) ?? (await readYaml(yaml)),
    body,
    /** The line of an attribute, from 1; for a missing attribute, the line of the first `---`. */
    lineOf: (name: string) => lines.findIndex((line) => line.startsWith(`${name}:`)) + 2,
    /** Line of the file in which the body begins, from 1. */
    bodyLine: lineAt(text, whole.length + (rest.length - rest.trimStart().length)),
  };
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

type Plain = Map<string, string | Map<string, string>>;

/** Lines of `name: plain text`, and indented maps of such lines; undefined if there is anything else. */
function readPlain(yaml: string): Record<string, unknown> | undefined {
  const attributes: Plain = new Map();
  for (const line of yaml.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (!addPlain(attributes, line)) return undefined;
  }
  const plain = [...attributes].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : Object.fromEntries(value),
  ]);
  return Object.fromEntries(plain);
}

const plainLine = /^( {2})?([A-Za-z][\w-]*):(?:[ \t]+([^\s"'[\]{}&*!|>%@`#,?:-].*))?$/;

/** @returns Whether the line could be read. */
function addPlain(attributes: Plain, line: string): boolean {
  const [read, indent, name = '', value] = plainLine.exec(line) ?? [];
  if (read === undefined || / #|\s$/.test(value ?? '')) return false;
  if (indent === undefined) {
    if (attributes.has(name)) return false;
    attributes.set(name, value ?? new Map());
    return true;
  }
  const last = [...attributes.values()].at(-1);
  if (!(last instanceof Map) || last.has(name) || value === undefined) return false;
  last.set(name, value);
  return true;
}

async function readYaml(yaml: string): Promise<Record<string, unknown>> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(yaml, { schema: 'core', lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) {
    const { line } = lines.linePos(broken.pos[0]);
    throw new Error(`line ${line + 1}: its front matter is not YAML (${broken.message})`);
  }
  const parsed = Attributes.safeParse(document.toJS({ maxAliasCount: 10 }) ?? {});
  if (parsed.success) return parsed.data;
  throw new Error('line 2: its front matter is not a list of names and values');
}
