import type { HandlerContext, Outcome } from '../context.ts';
import { shorten } from '../language/shorten.ts';
import { modelSettings, TaskError } from '../task-error.ts';
import { type Fit, type Form, firstFit } from './form.ts';
import { type Instruction, readInstruction } from './instruction.ts';
import { filesIn, withFileNamed } from './name-file.ts';
import { wordsOf } from './pattern.ts';

interface Skill {
  readonly forms: readonly Form[];
  /** One sentence about the tasks that are understood. */
  readonly can: string;
  /** Files that other capsules know better, and whose error is shown. */
  readonly others?: RegExp;
  /** Whether words may mean a file: `my notes` for notes.md. Default: false. */
  readonly namesFiles?: boolean;
}

/**
 * Carries out the first form that matches the whole task.
 *
 * @throws TaskError `NOT_UNDERSTOOD`, with the unknown words and the nearest sentence that works;
 *   `NOT_FOR_ME` if it names a file of `others`.
 */
export async function performTask(context: HandlerContext, skill: Skill): Promise<Outcome> {
  const instruction = readInstruction(context.task);
  const withFile = async () =>
    skill.namesFiles === true ? fitWithFile(context, instruction, skill.forms) : undefined;
  const act = firstFit(instruction, skill.forms);
  if (act === undefined) {
    const meant = await withFile();
    if (meant === undefined) throw await refusal(context, instruction, skill);
    return meant(context);
  }
  try {
    return await act(context);
  } catch (error) {
    const meant = isMissing(error) ? await withFile() : undefined;
    if (meant === undefined) throw error;
    return meant(context);
  }
}

/** `in my notes` was read as a folder that does not exist. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && /^(?:file_io failed: )?No (?:file|folder) `/.test(error.message);

const hasFile = ({ tokens }: Instruction): boolean =>
  tokens.some(({ kind }) => ['file', 'glob', 'url', 'fence'].includes(kind));

/** The first form that matches with the file that words of the task mean. */
export async function fitWithFile(
  context: HandlerContext,
  instruction: Instruction,
  forms: readonly Form[],
): Promise<Fit | undefined> {
  if (hasFile(instruction)) return undefined;
  const named = withFileNamed(await filesIn(context), instruction.task);
  return named === undefined ? undefined : firstFit(readInstruction(named), forms);
}

/** The error for a task that no form matches. Nothing has been done. */
async function refusal(
  context: HandlerContext,
  instruction: Instruction,
  { forms, can, others = /$^/, namesFiles }: Skill,
): Promise<TaskError> {
  const { task, tokens } = instruction;
  const known = new Set(forms.flatMap(({ patterns }) => patterns.flatMap(wordsOf)));
  const strange = tokens.flatMap(({ kind, norm, stem, text }) =>
    kind === 'word' && !known.has(norm) && !known.has(stem) ? [text] : [],
  );
  if (strange.length > 0 && strange.length === tokens.length)
    return new TaskError(
      'NOT_UNDERSTOOD',
      `"${shorten(task)}" asks for nothing that is done without a language model: ${modelSettings}.`,
    );
  const named = tokens.filter(({ kind }) => kind === 'file').map(({ text }) => text);
  const mayName = namesFiles === true && !hasFile(instruction);
  const real = mayName ? await filesIn(context) : [];
  const works = nearest(instruction, forms, named[0] ?? real.find((path) => !others.test(path)));
  const error = unknownWords(task, [...new Set(strange)].slice(0, 8), { can, works });
  return named.some((path) => others.test(path))
    ? new TaskError('NOT_FOR_ME', error.message)
    : error;
}

/** The error for words that have no meaning in a task. */
export function unknownWords(
  task: string,
  words: readonly string[],
  { can, works }: { readonly can: string; readonly works?: string | undefined },
): TaskError {
  const named = words.map((word) => `"${word}"`).join(', ');
  const problem =
    words.length === 0
      ? `"${shorten(task)}" is not a task for me`
      : `I can't place ${named} in "${shorten(task)}"`;
  const help =
    works === undefined
      ? `Say it in such words, or ${modelSettings}.`
      : `This works: "${works}". Or ${modelSettings}.`;
  return new TaskError('NOT_UNDERSTOOD', `${problem}. ${can} ${help}`);
}

const small = new Set('in of from to as and or by is are all it with for on at'.split(' '));

/** The example that begins with a verb of the task and shares the most words with it, for a file. */
function nearest(
  { tokens }: Instruction,
  forms: readonly Form[],
  file: string | undefined,
): string | undefined {
  const isNamed = tokens.some(({ kind }) => kind === 'file');
  const said = new Set(
    tokens.flatMap(({ kind, stem }) => (kind === 'word' && !small.has(stem) ? [stem] : [])),
  );
  const sharedBy = (example: string) => {
    const [verb, ...rest] = readInstruction(example).tokens.filter(({ stem }) => said.has(stem));
    return verb?.start === 0 ? 1 + rest.length : 0;
  };
  const [best] = forms
    .map(({ example }) => example)
    .filter((example) => (example.includes('{file}') ? file !== undefined : !isNamed))
    .toSorted((a, b) => sharedBy(b) - sharedBy(a));
  if (best === undefined || sharedBy(best) === 0) return undefined;
  const name = /\s/.test(file ?? '') ? `"${file}"` : (file ?? '');
  return best.replaceAll('{file}', () => name);
}
