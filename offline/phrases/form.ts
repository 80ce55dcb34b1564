import type { HandlerContext, Outcome } from '../context.ts';
import type { Token } from '../language/lexer.ts';
import { wordsOfPattern } from '../language/spelling.ts';
import { fail } from '../task-error.ts';
import type { Instruction } from './instruction.ts';
import { type Captures, match, numberOf } from './pattern.ts';
import { sharedParts } from './shared-parts.ts';

/** A step whose instruction matches a form: the tools, and the captured parts of the instruction by name. */
export interface Step extends HandlerContext, Pick<Instruction, 'bans'> {
  /** The captured tokens; empty if the part is missing. */
  tokens(name: string): readonly Token[];
  /** The captured literals, such as file names and quotes, as written. */
  texts(name: string): readonly string[];
  /** The captured text as written; empty if the part is missing. */
  text(name: string): string;
  /** The captured text in lower case. */
  word(name: string): string;
  /** Whether the part is present. */
  has(name: string): boolean;
  /** The first captured number. */
  number(name: string): number | undefined;
}

/** Performs a step that matched. */
export type Act = (step: Step) => Promise<Outcome> | Outcome;

/** Patterns for one kind of task. A pattern must match the whole instruction. */
export interface Form {
  readonly patterns: readonly string[];
  readonly act: Act;
  /** A sentence that matches, with `{file}` for a file of the task. */
  readonly example: string;
}

/**
 * Parses a table of forms. `name = pattern` defines a part that patterns use as `<name>`. `act: example` begins a form,
 * with its patterns indented below it.
 */
export const formsOf = (table: string, acts: Readonly<Record<string, Act>>): readonly Form[] =>
  parse(table, acts, shared).forms;

function parse(table: string, acts: Readonly<Record<string, Act>>, known: Iterable<Part>) {
  const parts = new Map(known);
  const forms: (Form & { patterns: string[] })[] = [];
  for (const line of table.split('\n')) {
    const [, name = '', kind, rest = ''] = /^(\w*)( = |: | +)(.+)$/.exec(line) ?? [];
    const pattern = rest.replace(/<(\w+)>/g, (_, part) => parts.get(part) ?? fail('NO_PART', part));
    if (kind === ' = ') parts.set(name, pattern);
    else if (kind === ': ')
      forms.push({ act: acts[name] ?? fail('NO_ACT', name), example: rest, patterns: [] });
    else if (kind !== undefined) forms.at(-1)?.patterns.push(pattern);
  }
  return { forms, parts };
}

/** A name and its pattern. */
type Part = readonly [string, string];

const shared = parse(sharedParts, {}, []).parts;

/** Performs the form that matched. */
export type Fit = (context: HandlerContext) => Promise<Outcome> | Outcome;

/** Finds the first form that matches the whole instruction. */
export function firstFit(instruction: Instruction, forms: readonly Form[]): Fit | undefined {
  for (const { patterns, act } of forms) {
    for (const pattern of patterns) {
      const found = match(pattern, instruction.tokens);
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

/** All words in the patterns of the forms. */
export const patternWords = (forms: readonly Form[]): readonly string[] =>
  forms.flatMap(({ patterns }) => patterns.flatMap(wordsOfPattern));
