import type { HandlerContext, Outcome } from '../context.ts';
import { shorten } from '../language/shorten.ts';
import { modelSettings, TaskError } from '../task-error.ts';
import { type Form, firstFit } from './form.ts';
import { type Instruction, readInstruction } from './instruction.ts';
import { wordsOf } from './pattern.ts';

/**
 * Does what the first form that fits the whole task says.
 *
 * @throws TaskError `NOT_UNDERSTOOD`, naming the words that no form knows and the nearest sentence that one does;
 *   `NOT_FOR_ME` where it names a file of `others`.
 */
export async function performTask(
  context: HandlerContext,
  { forms, can, others = /$^/ }: Skill,
): Promise<Outcome> {
  const instruction = readInstruction(context.task);
  const act = firstFit(instruction, forms);
  if (act !== undefined) return act(context);
  const failure = notUnderstood(instruction, forms, can);
  const isForOthers = instruction.tokens.some(
    ({ kind, text }) => kind === 'file' && others.test(text),
  );
  throw isForOthers ? new TaskError('NOT_FOR_ME', failure.message) : failure;
}

interface Skill {
  readonly forms: readonly Form[];
  /** One sentence: what is understood here. */
  readonly can: string;
  /** Files of which others know more: they say then what was not understood. */
  readonly others?: RegExp;
}

/** The failure for a task that no form fits; nothing has been done then. */
export function notUnderstood(
  instruction: Instruction,
  forms: readonly Form[],
  can: string,
): TaskError {
  const known = new Set(forms.flatMap(({ patterns }) => patterns.flatMap(wordsOf)));
  const strange = instruction.tokens.flatMap(({ kind, norm, stem, text }) =>
    kind === 'word' && !known.has(norm) && !known.has(stem) ? [text] : [],
  );
  return unknownWords(instruction.task, [...new Set(strange)].slice(0, 8), {
    can,
    works: nearest(instruction, forms),
  });
}

/** The failure for words that have no meaning in a task. */
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

/** The example of the form that shares the most words with a task and needs no more files than it names. */
function nearest({ tokens }: Instruction, forms: readonly Form[]): string | undefined {
  const file = tokens.find(({ kind }) => kind === 'file')?.text;
  const said = new Set(
    tokens.flatMap(({ kind, stem }) => (kind === 'word' && !small.has(stem) ? [stem] : [])),
  );
  let best: { readonly example: string; readonly shared: number } | undefined;
  for (const { example } of forms) {
    if (example.includes('{file}') !== (file !== undefined)) continue;
    const shared = readInstruction(example).tokens.filter(({ stem }) => said.has(stem)).length;
    if (shared > (best?.shared ?? 0)) best = { example, shared };
  }
  return best?.example.replaceAll('{file}', () =>
    /\s/.test(file ?? '') ? `"${file}"` : `${file}`,
  );
}
