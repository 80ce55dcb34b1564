import type { Ability } from '../../contract/permissions/ability.ts';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import { once } from '../../platform/once.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { abilitiesOf } from '../ability/ability.ts';
import type { Skill } from '../overlay/skills.ts';
import type { CapsuleProfile } from './capsule-factory.ts';

interface Catalogue {
  readonly skills: readonly Pick<Skill, 'id' | 'name' | 'description'>[];
  /** The largest grants, by tool. */
  readonly grantable: Readonly<Record<string, ToolGrant>>;
  /** Required abilities. Default: those that the words ask for. */
  readonly needs?: readonly Ability[] | undefined;
}

/** Words that ask for files to be removed, or renamed. */
const deleting = /\b(delet|remov|eras|clean|purg|tid[yi])/i;
const moving = /\b(renam|mov|sort|organi[sz]|tid[yi])/i;

/** Words that ask for a file to be written or changed. */
const writing =
  /\b(writ|sav|creat|edit|chang|fix|updat|renam|mov|replac|generat|convert|format|produc|draft|translat|add)/i;

/** A description that begins like this only reads, except where a later verb says otherwise: `Check links and fix them`. */
const reading =
  /^\s*(?:check|review|inspect|verify|validate|audit|find|list|count|compare|look|report)s?\s/i;

/** The words in which a description can ask for changes. In one that only reads, those after `and`, `then`, `to`, `by`, a mark or a line. */
const askingWords = (text: string): string =>
  reading.test(text) ? [...text.matchAll(JOINED)].map(([, word]) => word).join(' ') : text;

const JOINED = /(?:(?:\b(?:and|then|to|by|also|please)\b|[,;.:\n])\s*)+(?:\w+ly\s+)?(\w+)/gi;

const MAX_SKILLS = 3;

/**
 * A profile without a model. Tools: those that the description asks for, always with reading files. Skills: at most three,
 * those whose name and description share the most rare words with it (one unique word, or several rare ones). Name: the
 * first meaningful words of the description.
 *
 * @param description The purpose of the capsule, in a person's words.
 */
export function heuristicProfile(
  description: string,
  { skills, grantable, needs = [] }: Catalogue,
): CapsuleProfile {
  return {
    id: '',
    name: nameFrom(description),
    description,
    role: '',
    examples: [description],
    skills: chooseSkills(description, skills),
    grants: chooseGrants(description, grantable, needs),
  };
}

function chooseGrants(
  text: string,
  grantable: Catalogue['grantable'],
  needs: readonly Ability[],
): Record<string, ToolGrant> {
  const isWanted = (tool: string) => {
    const { calledBy = [], chosenFor = [], isBasic } = toolbox.get(tool)?.forNewCapsules ?? {};
    const isCalled = calledBy.some((begin) => new RegExp(`\\b${begin}`, 'i').test(text));
    return isBasic === true || isCalled || needs.some((need) => chosenFor.includes(need));
  };
  const words = [
    ['write', writing],
    ['delete', deleting],
    ['move', moving],
  ] as const;
  const asking = askingWords(text);
  const said = words.filter(([, pattern]) => pattern.test(asking)).map(([ability]) => ability);
  const asked = new Set<Ability>([...needs, ...said]);
  return Object.fromEntries(
    Object.entries(grantable)
      .filter(([tool]) => isWanted(tool))
      .map(([tool, most]) => [tool, narrowed(tool, most, asked)]),
  );
}

/** The grant, without operations on files and databases that were not asked for. */
function narrowed(tool: string, most: ToolGrant, asked: ReadonlySet<Ability>): ToolGrant {
  if (toolbox.get(tool)?.effects !== 'local') return most;
  const isAsked = (operation: string) => {
    const given = abilitiesOf(tool, { ...most, operations: [operation] });
    return given.length === 0 || given.some((ability) => asked.has(ability));
  };
  return { ...most, operations: (most.operations ?? []).filter(isAsked) };
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

/** Created on first use, since its tables take some milliseconds. */
const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'word' }));

function wordsOf(text: string): string[] {
  return [...segmenter().segment(text.slice(0, 2_000))].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [segment] : [],
  );
}

/** Meaningful words, without the endings of plurals and verbs. */
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
