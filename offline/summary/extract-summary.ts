import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { readWhole } from '../files/file-tool.ts';
import { keepBans } from '../files/keep-bans.ts';
import { foundBefore, rawText } from '../files/results/results.ts';
import { writeChecked } from '../files/write-checked.ts';
import { type Filled, form } from '../phrases/form.ts';
import { performTask } from '../phrases/perform-task.ts';
import { TaskError } from '../task-error.ts';
import { summarise, wish, wishBefore, wishOf } from './wish.ts';

const can =
  'I summarise text files and earlier results by extraction, in a number of sentences, bullets or words.';
const give = '(give|write|make|create|produce|prepare|show|get|provide) [me]';
const verb = '(summarise|summarize|condense|sum up)';
const results =
  '(it|them|this|that|these|those|everything|[earlier|previous] (results?|outputs?|findings|answers?|pages?|texts?|contents?|response|article|document|file|report) [(of|from) (earlier|previous) steps?])';
const subject = `([whole] [contents? of|text of|files?|document] {files:file+}|${results})`;
const target = '[(to|into|as) [file] {target:file}]';
const points =
  '(key|main|most important|essential) (points?|sentences?|ideas?|takeaways?|messages?)';

const forms = [
  form(
    summing,
    'Summarise {file} in 3 sentences',
    `${verb} ${subject} ${wish} ${target}`,
    `${verb} ${wish}`,
    `[${give}] ${wishBefore} (summary|extract) (of|from|for) ${subject} ${wish} ${target}`,
    `${give} ${wishBefore} summary ${wish}`,
    `in {n} unit:(sentences?|bullets?|points?|words?) ${verb} ${subject}`,
    `(${give}|list|extract|find|name|what are) [{before:n}] bulletedBefore:${points} (of|from|in) ${subject}`,
  ),
];

/** Summarises by extraction. */
export const extractSummaries: Handler = (context) =>
  performTask(context, { forms, can, namesFiles: true });

async function summing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const wanted = wishOf(filled);
  const texts = await textsFor(context, filled);
  const parts = texts.map(({ name, text }) => summarise(name, text, wanted));
  const text = parts.map((part) => part.text).join('\n\n');
  const data = { sentences: parts.flatMap(({ extract }) => extract.sentences) };
  const path = filled.text('target');
  if (path === undefined) return { text, data };
  await keepBans(context, filled.instruction, path);
  const content = `${text}\n`;
  const bytes = await writeChecked(context, { path, content, reason: 'Save the summary' });
  return { text: `Saved as ${path} (${bytes} bytes, read back and compared).\n\n${text}`, data };
}

/** The named files, else the results of earlier steps. */
async function textsFor(
  context: HandlerContext,
  filled: Filled,
): Promise<readonly { name: string; text: string }[]> {
  const paths = filled.texts('files');
  const read = [];
  for (const path of paths)
    read.push({ name: path, text: (await readWhole(context, path)).content });
  if (read.length > 0) return read;
  const found = foundBefore(context.results);
  if (found.length === 0) {
    throw new TaskError(
      'NOTHING_TO_SUMMARISE',
      'No earlier step found a text, and the task names no file. Name the file to summarise.',
    );
  }
  return found.map((one) => ({
    name: `"${(one.description.split('\n')[0] ?? '').trim()}"`,
    text: rawText(one) ?? one.text,
  }));
}
