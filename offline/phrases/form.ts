import type { HandlerContext, Outcome } from '../context.ts';
import type { Token } from '../language/lexer.ts';
import { wordsOfPattern } from '../language/spelling.ts';
import { fail } from '../task-error.ts';
import type { Instruction } from './instruction.ts';
import { type Captures, linesOf, match, numberOf } from './pattern.ts';
import { sharedParts } from './shared-parts.ts';

/** A step whose instruction matches a form: the tools, and the parts of the instruction by their names in the pattern. */
export interface Step extends HandlerContext, Pick<Instruction, 'bans'> {
  /** Tokens of that name; none if it was left out. */
  tokens(name: string): readonly Token[];
  /** Names, texts or code of that name, as written. */
  texts(name: string): readonly string[];
  /** The words of that name as written; empty if it was left out. */
  text(name: string): string;
  /** The same in lower case. */
  word(name: string): string;
  /** Whether the task has words of that name. */
  has(name: string): boolean;
  number(name: string): number | undefined;
}

/** Carries out a task that matched. */
export type Act = (step: Step) => Promise<Outcome> | Outcome;

/** Ways to ask for one thing. Each has to match an instruction completely. */
export interface Form {
  readonly patterns: readonly string[];
  readonly act: Act;
  /** A sentence that matches, with `{file}` for a file of the task. */
  readonly example: string;
}

/**
 * Reads a table of forms. `name = pattern` is a part that patterns use as `<name>`; `act: example` is a form, with its
 * patterns indented below it.
 */
export function formsOf(table: string, acts: Readonly<Record<string, Act>>): readonly Form[] {
  const parts = new Map<string, string>();
  const forms: (Form & { patterns: string[] })[] = [];
  for (const line of `${sharedParts}${table}`.split('\n')) {
    const [, name = '', kind, rest = ''] = /^(\w*)( = |: | +)(.+)$/.exec(line) ?? [];
    const pattern = rest.replace(/<(\w+)>/g, (_, part) => parts.get(part) ?? fail('NO_PART', part));
    if (kind === ' = ') parts.set(name, pattern);
    else if (kind === ': ')
      forms.push({ act: acts[name] ?? fail('NO_ACT', name), example: rest, patterns: [] });
    else if (kind !== undefined) forms.at(-1)?.patterns.push(pattern);
  }
  return forms;
}

/** The action of a form that matched. */
export type Fit = (context: HandlerContext) => Promise<Outcome> | Outcome;

/** The action of the first form that matches the whole instruction; undefined if there is none. */
export function firstFit(instruction: Instruction, forms: readonly Form[]): Fit | undefined {
  const lines = linesOf(instruction.tokens);
  for (const { patterns, act } of forms) {
    for (const pattern of patterns) {
      const found = match(pattern, instruction.tokens, { lines });
      if (found !== undefined)
        return (context) => act(stepOf(context, instruction, found.captures));
    }
  }
  return undefined;
}

function stepOf(context: HandlerContext, { task, bans }: Instruction, captures: Captures): Step {
  const tokens = (name: string) => captures[name] ?? [];
  const text = (name: string) => {
    const [first, ...others] = tokens(name);
    const last = others.at(-1);
    return last === undefined ? (first?.text ?? '') : task.slice(first?.start, last.end);
  };
  return {
    ...{ ...context, task, bans, tokens, text },
    texts: (name) => tokens(name).flatMap(({ kind, text }) => (kind === 'word' ? [] : [text])),
    word: (name) => text(name).toLowerCase().replace(/\s+/g, ' '),
    has: (name) => tokens(name).length > 0,
    number: (name) => tokens(name).map(numberOf)[0],
  };
}

/** The literal words of the patterns of forms. */
export const patternWords = (forms: readonly Form[]): readonly string[] =>
  forms.flatMap(({ patterns }) => patterns.flatMap(wordsOfPattern));
