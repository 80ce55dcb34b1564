import { TaskError } from '../../../offline/task-error.ts';
import type { Atom } from './atoms.ts';
import { mayFit } from './form-needs.ts';
import type { Instruction } from './instruction.ts';
import { wordLetter } from './letters.ts';
import { notUnderstood } from './not-understood.ts';

/** What a form found: atoms and words by the name they have in the form. */
export interface Filled {
  /** The atom of that name. */
  atom(name: string): Atom | undefined;
  /** All atoms of a list such as `<files>`. */
  atoms(name: string): readonly Atom[];
  /** The words of that name, as written. */
  word(name: string): string | undefined;
  readonly instruction: Instruction;
}

/** One way to ask for something: it has to fit an instruction from its first word to its last. */
export interface Form<Outcome> {
  readonly spelling: string;
  readonly make: (filled: Filled) => Outcome;
}

const kinds: Record<string, string> = {
  file: 'f',
  glob: 'g',
  url: 'u',
  quote: 'q',
  code: 'c',
  fence: 'b',
};

/** A form from its spelling, which `patternOf` explains. */
export const form = <Outcome>(
  spelling: string,
  make: (filled: Filled) => Outcome,
): Form<Outcome> => ({ spelling, make });

/**
 * The pattern of a spelling: a regular expression over the line, in which `<name:file>` is an atom of a kind
 * (`file`, `glob`, `url`, `quote`, `code`, `fence`, or several joined by `|`), `<name:file+>` a list of them, `<name:n>` a number.
 */
export function patternOf(spelling: string): RegExp {
  const source = spelling.replaceAll(
    /<(\w+):([\w|]+)(\+)?>/g,
    (_all, name: string, kind: string, many?: string) => {
      if (kind === 'n') return `(?<${name}>\\d+)`;
      const letters = kind.split('|').map((one) => kinds[one] ?? '?');
      const one = `«[${letters.join('')}]\\d+»`;
      return many === undefined
        ? `(?<${name}>${one})`
        : `(?<${name}>${one}(?:(?:, and |, | and )${one})*)`;
    },
  );
  return new RegExp(`^(?:${source})$`, 'i');
}

/** What the first form that fits the whole instruction makes of it; undefined where none does. */
export function firstFit<Outcome>(
  instruction: Instruction,
  forms: readonly Form<Outcome>[],
): Outcome | undefined {
  const lowerCase = instruction.line.toLowerCase();
  for (const { spelling, make } of forms) {
    const isCandidate = mayFit(lowerCase, spelling, kinds);
    const match = isCandidate ? patternOf(spelling).exec(instruction.line) : null;
    if (match !== null) return make(fill(instruction, match));
  }
  return undefined;
}

/**
 * The first form that fits the whole instruction, filled in.
 *
 * @param can One sentence: what this capsule does understand.
 * @throws TaskError `NOT_UNDERSTOOD`, naming the words that no form knows.
 */
export function matchForm<Outcome>(
  instruction: Instruction,
  forms: readonly Form<Outcome>[],
  can: string,
): Outcome {
  const made = firstFit(instruction, forms);
  if (made !== undefined) return made;
  throw notUnderstood(instruction.task, strangers(instruction, forms), can);
}

function fill(instruction: Instruction, match: RegExpExecArray): Filled {
  const word = (name: string) => match.groups?.[name];
  const atoms = (name: string) =>
    [...(word(name) ?? '').matchAll(/«[a-z](\d+)»/g)].flatMap(
      ([, index]) => instruction.atoms[Number(index)] ?? [],
    );
  return { instruction, word, atoms, atom: (name) => atoms(name)[0] };
}

const word = new RegExp(`${wordLetter}(?:${wordLetter}|['-])*`, 'g');

/** Words of an instruction that occur in no form. */
function strangers<Outcome>(
  { line }: Instruction,
  forms: readonly Form<Outcome>[],
): readonly string[] {
  const known = new Set(
    forms.flatMap(({ spelling }) => spelling.toLowerCase().match(/[a-z]{2,}/g) ?? []),
  );
  const words = line.replaceAll(/«[^»]*»/g, ' ').match(word) ?? [];
  const strange = words.filter(
    (word) =>
      !/^\d+$/.test(word) && ![...known].some((part) => word.toLowerCase().startsWith(part)),
  );
  return [...new Set(strange)].slice(0, 8);
}

/** The atom of a name, which the form makes sure is there. */
export function need(filled: Filled, name: string): Atom {
  const atom = filled.atom(name);
  if (atom === undefined) throw new TaskError('INPUT_INVALID', `The task names no ${name}.`);
  return atom;
}
