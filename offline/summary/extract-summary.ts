import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { readWhole } from '../files/file-tool.ts';
import { foundBefore, rawText } from '../files/results/results.ts';
import { writeFor } from '../files/write-checked.ts';
import { type Filled, form } from '../phrases/form.ts';
import { performTask } from '../phrases/perform-task.ts';
import { TaskError } from '../task-error.ts';
import { extractSummary } from './extract.ts';

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

/** Length and form after the word summary. */
export const wish =
  '[(in|as|with|using|to|into|of) ([at most|up to|about|around|no more than|max|maximum|exactly] {n} unit:(sentences?|bullets?|bullet points?|points?|words?|lines?) [or (less|fewer)]|bulleted:(bullets?|bullet points?|bulleted points?|bulleted list|bullet list|bullet-points|list))]';

/** The same before the word summary. */
export const wishBefore =
  '[short|brief|quick] [{n} [-] unit:(sentence|word|line|bullet|point)|bulleted:(bullet|bulleted|bullet-point)]';

const forms = [
  form(
    summing,
    'Summarise {file} in 3 sentences',
    `${verb} ${subject} ${wish} ${target}`,
    `${verb} ${wish}`,
    `[${give}] ${wishBefore} (summary|extract) (of|from|for) ${subject} ${wish} ${target}`,
    `${give} ${wishBefore} summary ${wish}`,
    `in {n} unit:(sentences?|bullets?|points?|words?) ${verb} ${subject}`,
    `(${give}|list|extract|find|name|what are) [{n}] bulleted:${points} (of|from|in) ${subject}`,
  ),
];

/** Summarises by extraction. */
export const extractSummaries: Handler = (context) =>
  performTask(context, { forms, can, namesFiles: true });

async function summing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const summary = summarise(filled, await textsFor(filled, context));
  const path = filled.text('target');
  if (path === undefined) return summary;
  const writing = { path, content: `${summary.text}\n`, reason: `Saved as ${path}` };
  const { text } = await writeFor(filled, context, writing);
  return { ...summary, text: `${text}\n\n${summary.text}` };
}

interface Named {
  readonly name: string;
  readonly text: string;
}

/** The named files, else the results of earlier steps. */
async function textsFor(filled: Filled, context: HandlerContext): Promise<readonly Named[]> {
  const read: Named[] = [];
  for (const path of filled.texts('files'))
    read.push({ name: path, text: (await readWhole(context, path)).content });
  const found = foundBefore(context.results);
  if (read.length > 0 || found.length > 0)
    return read.length > 0
      ? read
      : found.map((one) => ({ name: one.name, text: rawText(one) ?? one.text }));
  throw new TaskError(
    'NOTHING_TO_SUMMARISE',
    'No earlier step found a text, and the task names no file. Name the file to summarise.',
  );
}

/**
 * Summaries by extraction, labelled as such, in the length and shape that a form asks for.
 *
 * @throws TaskError `INPUT_INVALID` if a text has no sentences, or only too long ones.
 */
export function summarise(filled: Filled, texts: readonly Named[]): Outcome {
  const number = filled.number('n');
  if (number === 0)
    throw new TaskError('INPUT_INVALID', 'A summary of 0 is none: ask for at least 1.');
  const unit = filled.word('unit') ?? '';
  const isWords = unit.startsWith('word') && number !== undefined;
  const limits = isWords ? { words: number, sentences: 1_000 } : { sentences: number };
  const isBulleted = /^(?:bullet|point)/.test(unit) || filled.has('bulleted');
  const parts = texts.map(({ name, text }) => {
    const { sentences, of } = extractSummary(text, limits);
    if (of === 0)
      throw new TaskError(
        'INPUT_INVALID',
        `${name} has no sentences to summarise. Of logs and tables ask for counts, groups or the first lines, or use a language model (CAPSTAN_PROVIDER).`,
      );
    if (sentences.length === 0)
      throw new TaskError(
        'INPUT_INVALID',
        `No sentence of ${name} has ${number} words or fewer, and an extract does not shorten sentences. Allow more words, or use a language model (CAPSTAN_PROVIDER).`,
      );
    const isShort = !isWords && number !== undefined && sentences.length < number;
    const short = isShort
      ? ` (${number} were asked for; the others only repeat these, or there are no more.)`
      : '';
    const body = isBulleted ? `- ${sentences.join('\n- ')}` : sentences.join(' ');
    const lead = `Extract of ${name}: ${sentences.length} of its ${of} sentences, word for word, chosen by rule.`;
    return { sentences, text: `${lead}${short}\n\n${body}` };
  });
  return {
    text: parts.map(({ text }) => text).join('\n\n'),
    data: { sentences: parts.flatMap(({ sentences }) => sentences) },
  };
}
