import { type Atom, takeAtoms } from './atoms.ts';
import { letter, wordLetter } from './letters.ts';

/** An instruction in the shape that forms are matched against. */
export interface Instruction {
  /** As it came. */
  readonly task: string;
  /** One line without articles and courtesy, atoms as markers, number words as digits, letter case kept. */
  readonly line: string;
  readonly atoms: readonly Atom[];
  readonly bans: readonly Ban[];
}

/** `do not change a.txt`, `without overwriting anything`: what may not be touched. */
export interface Ban {
  /** `overwrite` forbids to replace what is there; `change` forbids to touch the named ones at all. */
  readonly kind: 'change' | 'overwrite';
  /** `named`: the files; `others`: what the task does not speak of; `all`: any file that is there already. */
  readonly reach: 'named' | 'others' | 'all';
  readonly files: readonly string[];
}

const numbers = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value) => [word, String(value)]),
);
numbers.set('thirty', '30').set('forty', '40').set('fifty', '50').set('hundred', '100');

const articles = new RegExp(
  `(?<!${letter}|[\\d-])(?:the|an|a|my|our|please|kindly|just)(?!${letter}|[\\d'-])\\s*`,
  'gi',
);
const plainWord = new RegExp(`(?<!${letter}|[\\d«-])[a-z]+(?!${letter}|[\\d»])`, 'gi');
const wordLetters = new RegExp(`${wordLetter}+`, 'g');
const framing =
  /^(?:(?:could|can|would|will) you|i (?:want|need|would like) you to|(?:and )?then|next|finally|first|also|and)\b[\s,]*/i;

/** Reads a subtask's text. */
export function readInstruction(task: string): Instruction {
  const { marked, atoms } = takeAtoms(task);
  const plain = marked
    .replaceAll(/[’]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(articles, '')
    .trim();
  const { line, bans } = takeBans(unframe(plain), atoms);
  return { task, line: numbered(tidy(line)), atoms, bans };
}

/** The words of any text as lines of instructions have them: without articles, lower case, numbers as digits. */
export const plainWords = (text: string): string =>
  numbered(text.replaceAll(articles, '')).toLowerCase().match(wordLetters)?.join(' ') ?? '';

function unframe(text: string): string {
  const shorter = text.replace(framing, '');
  return shorter === text ? text : unframe(shorter);
}

const tidy = (text: string) =>
  text
    .replaceAll(/\s+([,.;:!?])/g, '$1')
    .replace(/[\s,.;:!?]+$/, '')
    .replace(/^[\s,.;:]+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const numbered = (text: string) =>
  text.replaceAll(plainWord, (word) => numbers.get(word.toLowerCase()) ?? word);

const ban =
  /[\s,;.]*(?:(?:but |and )?(?:do not|don't|never|must not|without|(?:but )?not)|be careful not to)\s+(?:ever )?(chang|modify|modif|edit|alter|touch|delet|remov|overwrit|replac)(?:e|ing|ying|y)?\s+(?:any of |contents of )?((?:«f\d+»|file itself|original(?: file)?s?|input(?: file)?s?|source(?: file)?s?|it|anything(?: else)?|any(?: other)? files?|other files?|existing(?: files?)?|any existing files?|files?)(?:(?:,| and| or|, and) «f\d+»)*)(?=[\s.,;!]*$|[.,;!] )/i;

/** Takes the bans out of a line, so that what is left is the task itself. */
function takeBans(text: string, atoms: readonly Atom[]): { line: string; bans: readonly Ban[] } {
  const bans: Ban[] = [];
  if (!/\b(?:not|never|don't|without)\b/i.test(text)) return { line: text, bans };
  let line = text;
  for (let found = ban.exec(line); found !== null; found = ban.exec(line)) {
    const files = [...(found[2] ?? '').matchAll(/«f(\d+)»/g)].map(
      (match) => atoms[Number(match[1])]?.value ?? '',
    );
    const kind = /overwrit|replac/i.test(found[1] ?? '') ? 'overwrite' : 'change';
    const isOther = /\b(?:else|other)\b/i.test(found[2] ?? '');
    bans.push({ kind, files, reach: files.length > 0 ? 'named' : isOther ? 'others' : 'all' });
    line = `${line.slice(0, found.index)}${line.slice(found.index + found[0].length)}`;
  }
  return { line, bans };
}
