import type { HandlerContext, Outcome } from '../context.ts';
import { shorten } from '../language/shorten.ts';
import { modelSettings, TaskError } from '../task-error.ts';
import { type Fit, type Form, firstFit } from './form.ts';
import { type Instruction, readInstruction } from './instruction.ts';
import { withFileNamed } from './name-file.ts';
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
    if (meant === undefined) throw refusal(instruction, skill);
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

function refusal(instruction: Instruction, { forms, can, others = /$^/ }: Skill): TaskError {
  const failure = notUnderstood(instruction, forms, can);
  const isForOthers = instruction.tokens.some(
    ({ kind, text }) => kind === 'file' && others.test(text),
  );
  return isForOthers ? new TaskError('NOT_FOR_ME', failure.message) : failure;
}

/** The first form that matches with the file that words of the task mean. */
export async function fitWithFile(
  context: HandlerContext,
  { task, tokens }: Instruction,
  forms: readonly Form[],
): Promise<Fit | undefined> {
  if (tokens.some(({ kind }) => ['file', 'glob', 'url', 'fence'].includes(kind))) return undefined;
  const named = await withFileNamed(context, task);
  return named === undefined ? undefined : firstFit(readInstruction(named), forms);
}

/** The error for a task that no form matches. Nothing has been done. */
export function notUnderstood(
  instruction: Instruction,
  forms: readonly Form[],
  can: string,
): TaskError {
  const known = new Set(
    forms.flatMap(({ patterns }) => patterns.flatMap(({ nodes }) => wordsOf(nodes()))),
  );
  const strange = instruction.tokens.flatMap(({ kind, norm, stem, text }) =>
    kind === 'word' && !known.has(norm) && !known.has(stem) ? [text] : [],
  );
  const isTalk = strange.length > 0 && strange.length === instruction.tokens.length;
  if (isTalk)
    return new TaskError(
      'NOT_UNDERSTOOD',
      `"${shorten(instruction.task)}" asks for nothing that is done without a language model: ${modelSettings}.`,
    );
  return unknownWords(instruction.task, [...new Set(strange)].slice(0, 8), {
    can,
    works: nearest(instruction, forms),
  });
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
  const help = works === undefined ? 'Say it in such words' : `This works: "${works}".`;
  const or = works === undefined ? `, or ${modelSettings}.` : ` Or ${modelSettings}.`;
  return new TaskError('NOT_UNDERSTOOD', `${problem}. ${can} ${help}${or}`);
}

const small = new Set('in of from to as and or by is are all it with for on at'.split(' '));

/** The example that begins with a verb of the task, shares the most words with it, and needs no file that it does not name. */
function nearest({ tokens }: Instruction, forms: readonly Form[]): string | undefined {
  const file = tokens.find(({ kind }) => kind === 'file')?.text;
  const said = new Set(
    tokens.flatMap(({ kind, stem }) => (kind === 'word' && !small.has(stem) ? [stem] : [])),
  );
  let best: { readonly example: string; readonly shared: number } | undefined;
  for (const { example } of forms) {
    if (example.includes('{file}') !== (file !== undefined)) continue;
    const [verb, ...rest] = readInstruction(example).tokens;
    if (verb === undefined || !said.has(verb.stem)) continue;
    const shared = 1 + rest.filter(({ stem }) => said.has(stem)).length;
    if (shared > (best?.shared ?? 0)) best = { example, shared };
  }
  return best?.example.replaceAll('{file}', () =>
    /\s/.test(file ?? '') ? `"${file}"` : `${file}`,
  );
}
