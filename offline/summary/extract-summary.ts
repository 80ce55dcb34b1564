import type { Handler, Outcome } from '../context.ts';
import { readWhole } from '../files/file-tool.ts';
import { foundBefore, rawText } from '../files/results/render-results.ts';
import { formsOf, type Step } from '../phrases/form.ts';
import { performTask } from '../phrases/perform-task.ts';
import { fail } from '../task-error.ts';
import { extractSummary } from './extract.ts';

const can =
  'I summarise text files and earlier results by extraction, in a number of sentences, bullets or words.';
/** The parts of phrases that ask for a summary: verb or noun, length and format. */
export const summaryParts = `
wish = [(in|as|with|using|to|into|of) ([at most|up to|about|around|no more than|max|maximum|exactly] {n} unit:(sentences?|bullets?|bullet points?|points?|words?|lines?) [or (less|fewer)]|bulleted:(bullets?|bullet points?|bulleted points?|bulleted list|bullet list|bullet-points|list))]
give = (give|write|make|create|produce|prepare|show|get|provide) [me]
wanted = [short|brief|quick] [{n} [-] unit:(sentence|word|line|bullet|point)|bulleted:(bullet|bulleted|bullet-point)]
verb = (summarise|summarize|condense|sum up)
summary = <wanted> (summary|extract) (of|from|for)
`;

/** Phrases that ask for a summary. */
export const summaryForms = formsOf(
  `${summaryParts}
noun = (results?|outputs?|findings|answers?|pages?|texts?|contents?|response|article|document|file|report)
results = (it|them|this|that|these|those|everything|[earlier|previous] <noun> [(of|from) (earlier|previous) steps?])
subject = ([whole] [contents? of|text of|files?|document] {files:file+}|<results>)
points = bulleted:((key|main|most important|essential) (points?|sentences?|ideas?|takeaways?|messages?))
summing: Summarise {file} in 3 sentences
  <verb> <subject> <wish>
  <verb> <wish>
  [<give>] <summary> <subject> <wish>
  <give> <wanted> summary <wish>
  in {n} unit:(sentences?|bullets?|points?|words?) <verb> <subject>
  (<give>|list|extract|find|name|what are) [{n}] <points> (of|from|in) <subject>
`,
  { summing },
);

/** Performs a task to summarise texts. */
export const extractSummaries: Handler = (context) =>
  performTask(context, { forms: summaryForms, readings: summaryForms, can, namesFiles: true });

async function summing(step: Step): Promise<Outcome> {
  return summarise(step, await textsFor(step));
}

interface Named {
  readonly name: string;
  readonly text: string;
}

/** The named files, else the results of earlier steps. */
async function textsFor(step: Step): Promise<readonly Named[]> {
  const texts: Named[] = [];
  for (const path of step.texts('files'))
    texts.push({ name: path, text: (await readWhole(step, path)).content });
  if (texts.length > 0) return texts;
  const found = foundBefore(step.results);
  if (found.length === 0)
    fail('NOTHING_TO_SUMMARISE', 'No earlier step found a text. Name the file to summarise.');
  return found.map((one) => ({ name: one.name, text: rawText(one) ?? one.text }));
}

/** Summarises texts by extraction, and says so. @throws TaskError `INPUT_INVALID` if a text has no sentences, or only too long ones. */
export function summarise(step: Step, texts: readonly Named[]): Outcome {
  const [number, unit] = [step.number('n'), step.word('unit')];
  if (number === 0) fail('INPUT_INVALID', 'A summary of 0 is empty. Ask for at least 1.');
  const isWords = unit.startsWith('word');
  const limits = isWords ? { words: number, sentences: 1_000 } : { sentences: number };
  const isBulleted = /^(?:bullet|point)/.test(unit) || step.has('bulleted');
  const all: string[] = [];
  const parts = texts.map(({ name, text }) => {
    const { sentences, of } = extractSummary(text, limits);
    if (of === 0)
      fail('INPUT_INVALID', `${name} has no sentences. Ask for counts or lines instead.`);
    if (sentences.length === 0)
      fail('INPUT_INVALID', `Each sentence of ${name} has over ${number} words. Allow more.`);
    const isShort = !isWords && number !== undefined && sentences.length < number;
    const short = isShort
      ? ` (${number} were asked for; the others repeat these, or there are no more.)`
      : '';
    const lead = `Extract of ${name}: ${sentences.length} of its ${of} sentences, word for word, chosen by rule.`;
    all.push(...sentences);
    return `${lead}${short}\n\n${isBulleted ? `- ${sentences.join('\n- ')}` : sentences.join(' ')}`;
  });
  return { text: parts.join('\n\n'), data: { sentences: all } };
}
