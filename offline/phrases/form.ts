import type { HandlerContext, Outcome } from '../context.ts';
import type { Token } from '../language/lexer.ts';
import { wordsOfPattern } from '../language/spelling.ts';
import { fail } from '../task-error.ts';
import type { Instruction } from './instruction.ts';
import { type Captures, match, numberOf } from './pattern.ts';

/** A step whose instruction matches a form: the tools, and the captured parts of the instruction by name. */
export type Step = ReturnType<typeof stepOf>;

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

/** Parts that many forms use in their patterns. */
const shared = parse(
  `
show = (list|show|find|get|display|name|print|give|see|view|extract|pull out|pull|select|grab|collect|tell) [me] [all|every] [of]
ask = (<show>|what are [all]|what is|which are|[what|which])
howMany = (how many|number of)
count = (count [how many|number of|up]|<howMany>|tell me <howMany>|find [out] <howMany>|(determine|report|get|give [me]|show [me]) <howMany>) [all]
look = (<ask>|isCount:(<count>))
are = [are there|are|is|there are|exist|are left|left|do i have|do we have]
has = (contain|contains|containing|have|has|having|with|match|matches|matching|mention|mentions|mentioning|include|includes|including)
fold = (folder|directory)
holds = (does|do|has|have|are) [files|file] {files:file+} [have|has|got|contain|contains|hold|include|list|mention]
project = [this|current|whole|entire|working|source] (<fold>|workspace|project|tree|repo|repository|codebase|code|sources|files)
below = [deep:(recursively|[and|including|with] [all] [of] [its] (subfolders|subdirectories|folders below it)|in all (subfolders|subdirectories))]
place = [(in|inside|under|of|from|at|within|below|across) ([<fold>] {folder:file} [<fold>]|[all] <project>|here|[<fold>] {folder:name} [<fold>])|here] <below>
kind = [{kind:ending}|{kind:glob}]
earlier = earlier:(it|them|output|results?|page|text|response)
where = (in|of|from|inside|under|within|through|across|on) ([all|every|each] [of] [files?|<fold>] {files:file|glob+} [<fold>|files?]|[all|every|each] [of] <kind> (files?|code|scripts?) <place>|[all] <project>|<earlier>|[<fold>] {folder:name} [<fold>]) <below>
quoted = [isPattern:(pattern|regex|regular expression)|word|text|string|phrase|term] {needle:quote|code|pattern}
needle = (<quoted>|[word|text|string|phrase|term] {bare:word})
anyCase = [nocase:((ignoring|ignore|regardless of) [letter] case|case insensitive|case insensitively|case-insensitive|case-insensitively|in any case|capital or not|upper or lower case)]
testing = [that|which] [not:(do not|don't|does not|doesn't)] (<has>|line:(start|starts|starting|begin|begins|beginning|end|ends|ending) with) <needle> <anyCase>
newFile = [new] [text] [file] [called|named]
`,
  {},
  [],
).parts;

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

function stepOf(context: HandlerContext, { task, bans }: Instruction, captures: Captures) {
  /** The captured tokens; empty if the part is missing. */
  const tokens = (name: string): readonly Token[] => captures[name] ?? [];
  /** The captured text as written; empty if the part is missing. */
  const text = (name: string): string => {
    const [first, ...others] = tokens(name);
    const last = others.at(-1);
    return last === undefined ? (first?.text ?? '') : task.slice(first?.start, last.end);
  };
  return {
    ...{ ...context, task, bans, tokens, text },
    /** The captured literals, such as file names and quotes, as written. */
    texts: (name: string) =>
      tokens(name).flatMap(({ kind, text: said }) => (kind === 'word' ? [] : [said])),
    /** The captured text in lower case. */
    word: (name: string) => text(name).toLowerCase().replace(/\s+/g, ' '),
    has: (name: string) => tokens(name).length > 0,
    /** The first captured number. */
    number: (name: string) => tokens(name).map(numberOf)[0],
  };
}

/** All words in the patterns of the forms. */
export const patternWords = (forms: readonly Form[]): readonly string[] =>
  forms.flatMap(({ patterns }) => patterns.flatMap(wordsOfPattern));
