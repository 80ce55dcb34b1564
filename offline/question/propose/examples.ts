import type { HandlerContext, Outcome } from '../../context.ts';
import { changingForms, textForms } from '../../files/file-forms.ts';
import { listFolder, readLines } from '../../files/file-tool.ts';
import { tokenize } from '../../language/lexer.ts';
import { firstFit } from '../../phrases/form.ts';
import { readInstruction } from '../../phrases/instruction.ts';
import { modelSettings } from '../../task-error.ts';
import { loadAll } from '../choose/choose-table.ts';
import { dataFiles, MAX_LOOKED_AT } from '../choose/input-of.ts';
import { exampleFor } from './suggest.ts';

const greeting =
  /^\W*(?:(?:hello|hi|hey|good (?:morning|evening|day))(?: there)?|help(?: me)?|(?:some )?examples?|what (?:can|could) (?:you|i|we) (?:do|ask)(?: here)?|what do you do|how (?:does (?:this|it)|do you) work|how can you help(?: me)?|who are you)\W*$/i;

/** Whether a task only greets, or asks what can be asked. */
export const isGreeting = (task: string): boolean => greeting.test(task);

/** Answers a greeting with tasks of different kinds that work in this folder. */
export async function offerExamples(context: HandlerContext): Promise<Outcome> {
  const paths = (await dataFiles(context)).slice(0, MAX_LOOKED_AT);
  const files = await loadAll(context, paths);
  const questions = ['how many', 'top', 'latest'].flatMap((kind, at) => {
    const found = files.flatMap(({ tables }) =>
      tables.flatMap((table) => exampleFor(kind, table, tables) ?? []),
    );
    return found.slice(at % Math.max(1, found.length)).slice(0, 1);
  });
  const all = [...new Set(questions), ...(await ofTexts(context))];
  const works =
    all.length > 0
      ? `These work here:\n\n- ${all.join('\n- ')}`
      : 'Here are no files to ask about.';
  const lead = 'Without a language model, exact questions and instructions are understood.';
  return { text: `${lead} ${works}\n\nFor others, ${modelSettings}.`, data: { examples: all } };
}

/** A search and a change of the first text. */
async function ofTexts(context: HandlerContext): Promise<readonly string[]> {
  const globs = ['**/*.md', '**/*.txt'];
  const { entries } = await listFolder(context, '.', { globs, recursive: true });
  const found = entries.find(
    ({ kind, bytes, path }) => kind === 'file' && bytes > 80 && !/["\s]/.test(path),
  );
  if (!found) return [];
  const { path } = found;
  const { content } = await readLines(context, path, { from: 1, maxBytes: 4_096 });
  const word = tokenize(content).find(({ kind, text }) => kind === 'word' && text.length > 5);
  const [search, change] = [
    `Find the lines in ${path} that contain "${word?.text}"`,
    `Append "- [ ] call back" to ${path}`,
  ];
  return [
    ...(word && firstFit(readInstruction(search), textForms) ? [search] : []),
    ...(firstFit(readInstruction(change), changingForms) ? [change] : []),
  ];
}
