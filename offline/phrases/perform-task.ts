import type { HandlerContext, Outcome } from '../context.ts';
import { formatFor, foundBefore, rawText, renderResults } from '../files/results/render-results.ts';
import { lookUp } from '../files/text/look-up.ts';
import { writeFiles } from '../files/write-checked.ts';
import type { Token } from '../language/lexer.ts';
import { correctSpelling, performCorrected } from '../language/spelling.ts';
import { nameWords } from '../language/words.ts';
import { fail, modelSettings, TaskError } from '../task-error.ts';
import { type Fit, type Form, firstFit, patternWords } from './form.ts';
import { type Instruction, readInstruction } from './instruction.ts';
import { filesIn, withFileNamed } from './name-file.ts';
import { match } from './pattern.ts';

interface Skill {
  readonly forms: readonly Form[];
  /** Forms that only read, so that a task may also save their result to a file. Default: none. */
  readonly readings?: readonly Form[];
  /** A sentence about the tasks that are understood, for errors. */
  readonly can: string;
  /** Files that other capsules handle, so that their error is shown. */
  readonly others?: RegExp;
  /** Whether words may mean a file: `my notes` for notes.md. Default: false. */
  readonly namesFiles?: boolean;
}

/**
 * Performs the first form that matches the whole task.
 *
 * @throws TaskError `NOT_UNDERSTOOD`, with the unknown words and the nearest sentence that works;
 *   `NOT_FOR_ME` if it names a file of `others`.
 */
export async function performTask(context: HandlerContext, skill: Skill): Promise<Outcome> {
  const instruction = readInstruction(context.task);
  const meant = async (isMissing = false) =>
    skill.namesFiles && (isMissing || !readsFile(instruction))
      ? fitWithFile(context, instruction, skill)
      : undefined;
  const act = fitOf(instruction, skill) ?? (await meant());
  if (act === undefined) {
    const other = await performOtherwise(context, skill);
    if (other) return other;
    throw await refusal(context, instruction, skill);
  }
  try {
    return await act(context);
  } catch (error) {
    // `in my notes` may have been read as a missing folder or as a part of the text.
    const { code, message } = error as TaskError;
    const isMissing =
      code === 'NOT_FOR_ME' ||
      /^(?:file_io failed: )?No (?:file|folder) `|does not exist; nothing/.test(message);
    const other = isMissing ? await meant(true) : undefined;
    if (other === undefined) throw error;
    return other(context);
  }
}

/** Performs a task that matches no form: with corrected spelling if it only reads, or by quoting texts. */
async function performOtherwise(
  context: HandlerContext,
  skill: Skill,
): Promise<Outcome | undefined> {
  const { readings = [], namesFiles } = skill;
  const spelled = correctSpelling(context.task, patternWords(readings));
  const corrected = await performCorrected(context, spelled, (one) =>
    performTask(one, { ...skill, forms: readings }),
  );
  return corrected ?? (namesFiles ? lookUp(context) : undefined);
}

const isFile = ({ kind }: Token) => /^(?:file|glob|url|fence)$/.test(kind);

/** Whether a task names a file other than the one for its result. */
export const readsFile = ({ tokens }: Instruction): boolean =>
  tokens.some(
    (token, at) =>
      isFile(token) && !/^(?:to|into|as|called|named)$/.test(tokens[at - 1]?.norm ?? ''),
  );

/** The first form that matches, also with the result saved to a file. */
export const fitOf = (
  instruction: Instruction,
  { forms, readings = [] }: Fitting,
): Fit | undefined => firstFit(instruction, forms) ?? savedFit(instruction, readings);

type Fitting = Pick<Skill, 'forms' | 'readings'>;

/** The first form that matches once the words that mean a file are replaced by its path. */
export async function fitWithFile(
  context: HandlerContext,
  instruction: Instruction,
  skill: Fitting,
): Promise<Fit | undefined> {
  const named = withFileNamed(await filesIn(context), instruction);
  return named === undefined ? undefined : fitOf(readInstruction(named), skill);
}

/** The error for a task that no form matches. Nothing has been done. */
async function refusal(
  context: HandlerContext,
  instruction: Instruction,
  { forms, can, others = /$^/, namesFiles }: Skill,
): Promise<TaskError> {
  const { task, tokens } = instruction;
  const known = new Set(patternWords(forms));
  const strange = tokens.flatMap(({ kind, norm, stem, text }) =>
    kind === 'word' && !known.has(norm) && !known.has(stem) ? [text] : [],
  );
  if (strange.length > 0 && strange.length === tokens.length) {
    const talk = `"${shorten(task)}" needs a language model`;
    return new TaskError('NOT_UNDERSTOOD', `${talk}: ${modelSettings}.`);
  }
  const named = tokens.filter(({ kind }) => kind === 'file').map(({ text }) => text);
  const real = namesFiles && !tokens.some(isFile) ? await filesIn(context) : [];
  const works =
    withQuotes(instruction, strange, forms) ??
    nearest(instruction, forms, named[0] ?? nearFile(instruction, real, others));
  const error = unknownWords(task, [...new Set(strange)].slice(0, 8), { can, works });
  // With `NOT_FOR_ME`, the error of a capsule that understands more of the words is shown.
  const isForOthers = named.some((path) => others.test(path));
  const isNamed = tokens.some((token) => token.kind === 'code' || isFile(token));
  const isOther = works === undefined || strange[0] === tokens[0]?.text;
  const isStrange = isOther && strange.length > 0 && !isNamed;
  return isForOthers || isStrange ? new TaskError('NOT_FOR_ME', error.message) : error;
}

/** The task with its unknown words in quotes, if it then matches a form: `Append "bye" to a.txt`. */
function withQuotes(
  { task, tokens }: Instruction,
  words: readonly string[],
  forms: readonly Form[],
): string | undefined {
  const isStrange = ({ kind, text }: Token) => kind === 'word' && words.includes(text);
  const [first, last] = [tokens.find(isStrange), tokens.findLast(isStrange)];
  if (!first || !last || task.includes('"') || !tokens.some(isFile)) return undefined;
  const said = task.slice(first.start, last.end);
  const text = `${task.slice(0, first.start)}"${said}"${task.slice(last.end)}`;
  return firstFit(readInstruction(text), forms) && text;
}

/** The only text whose name has words of the task, or the only text there is. */
function nearFile({ tokens }: Instruction, paths: readonly string[], others: RegExp) {
  const texts = paths.filter((path) => !others.test(path));
  const said = new Set(tokens.map(({ stem }) => stem));
  const near = texts.filter((path) => nameWords(path).some((word) => said.has(word)));
  return [near, texts].find(({ length }) => length === 1)?.[0];
}

/** Shortens a text to one line of at most 200 characters, for messages. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** The error for words of a task that are not understood. */
export function unknownWords(
  task: string,
  words: readonly string[],
  { can, works }: { readonly can: string; readonly works?: string | undefined },
): TaskError {
  const named = words.map((word) => `"${word}"`).join(', ');
  const problem = `I don't understand ${named === '' ? '' : `${named} in `}"${shorten(task)}"`;
  const help =
    works === undefined ? 'Other tasks need a language model:' : `This works: "${works}". Or`;
  return new TaskError('NOT_UNDERSTOOD', `${problem}. ${can} ${help} ${modelSettings}.`);
}

const small =
  /^(?:in|of|from|to|as|and|or|by|is|are|all|it|with|for|on|at|what|which|who|where|how|many|much|show|list|get|give|find|do|does|have|has|file|first|last|latest|only|me)$/;

/**
 * Finds the example that shares most words with the task: its verb and another word, or two words. Quotes in the example
 * are replaced by those of the task.
 */
export function nearest(
  { tokens }: Instruction,
  forms: readonly Form[],
  file: string | undefined,
): string | undefined {
  const isNamed = tokens.some(({ kind }) => kind === 'file');
  const quotes = tokens.filter(({ kind }) => kind === 'quote');
  const said = new Set(
    tokens.flatMap(({ kind, stem }) => (kind === 'word' && !small.test(stem) ? [stem] : [])),
  );
  const sharedBy = (example: string) => {
    const [verb, ...others] = readInstruction(example).tokens;
    const shared = others.filter(({ stem }) => said.has(stem)).length;
    const isVerb = verb?.stem === tokens[0]?.stem;
    return shared > 1 || (isVerb && shared + (said.has(verb?.stem ?? '') ? 1 : 0) > 0)
      ? shared + Number(isVerb)
      : 0;
  };
  const [best] = forms
    .map(({ example }) => ({ example, shared: sharedBy(example) }))
    .filter(({ shared }) => shared > 0)
    .filter(({ example }) => (example.includes('{file}') ? file !== undefined : !isNamed))
    .filter(({ example }) => (example.match(/"/g) ?? []).length / 2 <= quotes.length)
    .toSorted((a, b) => b.shared - a.shared);
  const name = /\s/.test(file ?? '') ? `"${file}"` : (file ?? '');
  const own = quotes.map(({ text }) => `"${text}"`);
  return best?.example
    .replace(/"[^"]*"/g, (quoted) => own.shift() ?? quoted)
    .replaceAll('{file}', () => name);
}

const save = '(save|write|put|store|export|copy|output|dump)';
const named = '[new] [text|json|csv|markdown] [file] [called|named] {target:file}';
const target = `([and] ${save} [it|them|this|that|result|results|list|output] (to|into|in|as)|to|into|as) ${named}`;
const targetOfSave = `(to|into|in|as) ${named}`;

/**
 * Matches an instruction that ends with a file for its result: `copy the first lines of a.log to b.log`, `list the links
 * in a.md and save them as b.txt`. The rest must match one of the forms, which only read.
 */
export function savedFit(instruction: Instruction, forms: readonly Form[]): Fit | undefined {
  const { tokens, bans, task } = instruction;
  const [verb, ...others] = tokens;
  const isSave = verb !== undefined && match(`${save}`, [verb]) !== undefined;
  const found = match(isSave ? targetOfSave : target, tokens, 'end');
  const path = found?.captures['target']?.[0]?.text;
  if (found === undefined || path === undefined || verb === undefined) return undefined;
  const asked = isSave ? [{ ...verb, norm: 'show', stem: 'show' }, ...others] : tokens;
  const read = firstFit({ ...instruction, tokens: asked.slice(0, -found.size) }, forms);
  if (read === undefined) return undefined;
  return async (context) => {
    const format = formatFor(path);
    const result = await read(context);
    const all = foundBefore([{ description: task, result }]);
    const { count, lines } = result.data as { count?: number; lines?: readonly string[] };
    if (count === 0 || lines?.length === 0)
      fail('NOT_FOUND', `${result.text} Nothing was written to ${path}.`);
    const raw = all.map((one) => rawText(one) ?? `${one.text.trim()}\n`).join('');
    const isText = format === 'text' || format === 'markdown';
    const content = isText ? raw : renderResults(all, { format, title: '', part: 'raw' });
    const writing = { path, content, reason: `Saved as ${path}` };
    const { text, data } = await writeFiles({ ...context, bans }, writing);
    return { text: `${text}\n\n${result.text}`, data };
  };
}
