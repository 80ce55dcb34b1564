import type { HandlerContext, Outcome } from '../context.ts';
import type { Token } from '../language/lexer.ts';
import { TaskError } from '../task-error.ts';
import type { Instruction } from './instruction.ts';
import { type Captures, linesOf, match, numberOf } from './pattern.ts';

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
  /** Whether the task has words of that name. */
  has(name: string): boolean;
  number(name: string): number | undefined;
}

/** Carries out a task that matched. */
export type Act = (filled: Filled, context: HandlerContext) => Promise<Outcome> | Outcome;

/** Ways to ask for one thing. Each has to match an instruction completely. */
export interface Form {
  readonly patterns: readonly string[];
  readonly act: Act;
  /** A sentence that matches, with `{file}` for a file of the task. */
  readonly example: string;
}

export const form = (act: Act, example: string, ...patterns: readonly string[]): Form => ({
  act,
  example,
  patterns,
});

/** The action of a form that matched. */
export type Fit = (context: HandlerContext) => Promise<Outcome> | Outcome;

/** The action of the first form that matches the whole instruction; undefined if there is none. */
export function firstFit(instruction: Instruction, forms: readonly Form[]): Fit | undefined {
  const lines = linesOf(instruction.tokens);
  for (const { patterns, act } of forms) {
    for (const pattern of patterns) {
      const found = match(pattern, instruction.tokens, { lines });
      if (found === undefined) continue;
      const filled = fill(instruction, found.captures);
      return (context) => act(filled, context);
    }
  }
  return undefined;
}

function fill(instruction: Instruction, captures: Captures): Filled {
  const tokens = (name: string) => captures[name] ?? [];
  const text = (name: string) => {
    const [first, ...others] = tokens(name);
    const last = others.at(-1);
    return last === undefined ? first?.text : instruction.task.slice(first?.start, last.end);
  };
  return {
    instruction,
    tokens,
    text,
    texts: (name) => tokens(name).flatMap(({ kind, text }) => (kind === 'word' ? [] : [text])),
    word: (name) => text(name)?.toLowerCase().replace(/\s+/g, ' '),
    has: (name) => tokens(name).length > 0,
    number: (name) => tokens(name).map(numberOf)[0],
  };
}

/** The text of a name that the pattern requires. */
export function need(filled: Filled, name: string): string {
  const found = filled.text(name);
  if (found === undefined) throw new TaskError('INPUT_INVALID', `The task names no ${name}.`);
  return found;
}
