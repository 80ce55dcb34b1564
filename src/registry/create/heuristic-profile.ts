import type { Ability } from '../../contract/ability.ts';
import type { ToolGrant } from '../../contract/grant.ts';
import type { CapsuleProfile } from './capsule-profile.ts';

interface Catalogue {
  readonly skills: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
  }[];
  /** The most that may be granted, by tool. */
  readonly grantable: Readonly<Record<string, ToolGrant>>;
  /** What the capsule must be able to do. Default: what the words call for. */
  readonly needs?: readonly Ability[] | undefined;
}

/** By tool, what words of a task call for it: the beginnings of words. */
const callsFor = new Map<string, RegExp>(
  Object.entries({
    sql_query: ['sql', 'database', 'sqlite', 'quer(y|ies)', 'tables?\\b', '\\w+\\.db\\b'],
    web_fetch: ['web', 'https?\\b', 'urls?\\b', 'pages?\\b', 'sites?\\b', 'download', 'crawl'],
    http_api: ['apis?\\b', 'rest\\b', 'endpoint', 'webhook', 'graphql'],
    terminal: ['command', 'terminal', 'shell', 'git\\b', 'build', 'compil', 'install', 'npm\\b'],
    python_exec: [
      'python',
      'script',
      'plot',
      'chart',
      'calculat',
      'csv\\b',
      'statistic',
      'json\\b',
    ],
  }).map(([tool, words]) => [tool, new RegExp(`\\b(${words.join('|')})`, 'i')] as const),
);

/** Words that ask for files to be removed, or renamed. */
const deleting = /\b(delet|remov|eras|clean|purg|tid[yi])/i;
const moving = /\b(renam|mov|sort|organi[sz]|tid[yi])/i;

/** Words that ask for a file to be written or changed. */
const writing =
  /\b(writ|sav|creat|edit|chang|fix|updat|renam|mov|replac|generat|convert|format|produc|draft|translat|add)/i;

const MAX_SKILLS = 3;

/**
 * A profile without a model. Tools are those that words of the description call for, reading files always among them and
 * writing where it asks for that; skills are the three at most whose name and description share the most of its rarer
 * words: one that no other skill has, or several that few have; the name is made of its first words that say something.
 *
 * @param description What the capsule is for, in a person's words.
 */
export function heuristicProfile(
  description: string,
  { skills, grantable, needs = [] }: Catalogue,
): CapsuleProfile {
  const name = nameFrom(description);
  return {
    id: '',
    name,
    description,
    role: '',
    examples: [description],
    skills: chooseSkills(description, skills),
    grants: chooseGrants(description, grantable, needs),
  };
}

/** By ability, the tools that give it. */
const toolsFor: Readonly<Record<Ability, readonly string[]>> = {
  write: ['file_io'],
  delete: ['file_io'],
  move: ['file_io'],
  execute: ['python_exec'],
  command: ['terminal'],
  web: ['web_fetch'],
  database_write: ['sql_query', 'python_exec'],
};

function chooseGrants(
  text: string,
  grantable: Catalogue['grantable'],
  needs: readonly Ability[],
): Record<string, ToolGrant> {
  const called = [...callsFor].filter(([, words]) => words.test(text)).map(([tool]) => tool);
  const wanted = new Set(['file_io', ...called, ...needs.flatMap((need) => toolsFor[need])]);
  const words = [
    ['write', writing],
    ['delete', deleting],
    ['move', moving],
  ] as const;
  const said = words.filter(([, pattern]) => pattern.test(text)).map(([ability]) => ability);
  const asked = new Set<Ability>([...needs, ...said]);
  return Object.fromEntries(
    Object.entries(grantable)
      .filter(([tool]) => wanted.has(tool))
      .map(([tool, most]) => [tool, narrowed(tool, most, asked)]),
  );
}

/** The grant without operations that nothing asks for. */
function narrowed(tool: string, most: ToolGrant, asked: ReadonlySet<Ability>): ToolGrant {
  const { operations = [] } = most;
  const needed = new Map<string, Ability>([
    ...['write', 'append', 'edit', 'replace', 'copy'].map((name) => [name, 'write'] as const),
    ...['rename', 'move'].map((name) => [name, 'move'] as const),
    ['delete', 'delete'],
  ]);
  const isAsked = (name: string) => {
    if (tool === 'sql_query') return name !== 'change' || asked.has('database_write');
    const ability = tool === 'file_io' ? needed.get(name) : undefined;
    return ability === undefined || asked.has(ability);
  };
  return { ...most, operations: operations.filter(isAsked) };
}

function chooseSkills(text: string, skills: Catalogue['skills']): string[] {
  const asked = new Set(stemsOf(text));
  const spoken = skills.map(({ id, name, description }) => ({
    id,
    stems: new Set(stemsOf(`${id} ${name} ${description}`)),
  }));
  const scored = spoken.map(({ id, stems }) => {
    const shared = [...stems].filter((stem) => asked.has(stem));
    const rarity = shared.map((stem) => 1 / spoken.filter((one) => one.stems.has(stem)).length);
    return { id, score: rarity.reduce((sum, one) => sum + one, 0) };
  });
  return scored
    .filter(({ score }) => score >= 1)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SKILLS)
    .map(({ id }) => id);
}

const filler = new Set(
  `a about an and any are as at be by can check do does each every file files find first for from get give help how i in into
  is it its look make me my need not of on one or our please read see should show some task tasks tell that the their them then
  these this those to use using what when where which who will with without work works you your`.split(
    /\s+/,
  ),
);

/** Made when it is needed: its tables take some milliseconds. */
let segmenter: Intl.Segmenter | undefined;

function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return [...segmenter.segment(text.slice(0, 2_000))].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [segment] : [],
  );
}

/** Words that say something, without the endings of plurals and verbs. */
const stemsOf = (text: string): string[] =>
  wordsOf(text.toLowerCase().replaceAll('_', ' '))
    .filter((word) => word.length > 2 && !filler.has(word))
    .map((word) => word.replace(/(ies|ing|ed|es|s)$/, '').slice(0, 8));

const MAX_NAME_WORDS = 4;
const MAX_NAME_LENGTH = 60;

function nameFrom(description: string): string {
  const telling = wordsOf(description).filter((word) => !filler.has(word.toLowerCase()));
  const isSpaced = /\s/.test(description.trim());
  const name = telling.slice(0, MAX_NAME_WORDS).join(isSpaced ? ' ' : '');
  const cut = [...name].slice(0, MAX_NAME_LENGTH).join('');
  return cut === '' ? '' : `${cut.charAt(0).toUpperCase()}${cut.slice(1)}`;
}
