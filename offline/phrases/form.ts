import type { HandlerContext, Outcome } from '../context.ts';
import type { Token } from '../language/lexer.ts';
import { TaskError } from '../task-error.ts';
import type { Instruction } from './instruction.ts';
import { type Captures, matches, numberOf } from './match-pattern.ts';
import { type Node, parsePattern } from './pattern.ts';

/** An instruction that matches a form: its parts, by their names in the pattern. */
export interface Filled {
  readonly instruction: Instruction;
  /** Tokens of that name; none if it was left out. */
  tokens(name: string): readonly Token[];
  /** Names, texts or code of that name, as written. */
  texts(name: string): readonly string[];
  /** The words of that name as written; undefined if it was left out. */
  text(name: string): string | undefined;
  /** The same in lower case. */
  word(name: string): string | undefined;
  number(name: string): number | undefined;
}

/** Carries out a task that matched. */
export type Act = (filled: Filled, context: HandlerContext) => Promise<Outcome> | Outcome;

/** Ways to ask for one thing. Each has to match an instruction completely. */
export interface Form {
  readonly patterns: readonly Pattern[];
  readonly act: Act;
  /** A sentence that matches, with `{file}` for a file of the task. */
  readonly example: string;
}

export const form = (act: Act, example: string, ...patterns: readonly string[]): Form => ({
  act,
  example,
  patterns: patterns.map(lazyPattern),
});

/** A pattern that is parsed only if a task may match it: a capsule reads a single task. */
export interface Pattern {
  /** Words that a task may start with; undefined if there may be others. */
  readonly starts: ReadonlySet<string> | undefined;
  readonly nodes: () => readonly Node[];
}

function lazyPattern(source: string): Pattern {
  let nodes: readonly Node[] | undefined;
  return {
    starts: startsOf(source),
    nodes() {
      nodes ??= parsePattern(source);
      return nodes;
    },
  };
}

/** The first words of `(count [up]|how many) …` or `sort …`. */
function startsOf(source: string): ReadonlySet<string> | undefined {
  const group = /^\((?:[^()[\]]|\[[^()[\]]*\])*\)/.exec(source)?.[0];
  if (group === undefined) {
    const word = /^[a-z'-]+(?= |$)/.exec(source)?.[0];
    return word === undefined ? undefined : new Set([word]);
  }
  // An option that begins with an optional part has two first words.
  if (/[(|]\s*\[/.test(group)) return undefined;
  const plain = group.slice(1, -1).replace(/\[[^\]]*\]/g, '');
  const words = plain.split('|').map((option) => option.trim().split(' ')[0] ?? '');
  return words.every((word) => /^[a-z'-]+$/.test(word)) ? new Set(words) : undefined;
}

/** The action of a form that matched. */
export type Fit = (context: HandlerContext) => Promise<Outcome> | Outcome;

/** The action of the first form that matches the whole instruction; undefined if there is none. */
export function firstFit(instruction: Instruction, forms: readonly Form[]): Fit | undefined {
  for (const { patterns, act } of forms) {
    for (const pattern of patterns) {
      const captures = capturesOf(instruction, pattern);
      if (captures === undefined) continue;
      const filled = fill(instruction, captures);
      return (context) => act(filled, context);
    }
  }
  return undefined;
}

/** The captures of a pattern that matches the whole instruction. */
function capturesOf({ tokens }: Instruction, { starts, nodes }: Pattern): Captures | undefined {
  if (starts !== undefined && !starts.has(tokens[0]?.norm ?? '')) return undefined;
  for (const { at, captures } of matches(tokens, nodes(), { at: 0, captures: {} }))
    if (at === tokens.length) return captures;
  return undefined;
}

function fill(instruction: Instruction, captures: Captures): Filled {
  const tokens = (name: string) => captures[name] ?? [];
  const text = (name: string) => {
    const found = tokens(name);
    const [first, last] = [found[0], found.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    return found.length === 1 ? first.text : instruction.task.slice(first.start, last.end);
  };
  return {
    instruction,
    tokens,
    text,
    texts: (name) => tokens(name).flatMap(({ kind, text }) => (kind === 'word' ? [] : [text])),
    word: (name) => text(name)?.toLowerCase().replace(/\s+/g, ' '),
    number: (name) => tokens(name).map(numberOf)[0],
  };
}

/** The text of a name that the pattern requires. */
export function need(filled: Filled, name: string): string {
  const found = filled.text(name);
  if (found === undefined) throw new TaskError('INPUT_INVALID', `The task names no ${name}.`);
  return found;
}
