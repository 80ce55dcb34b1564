import { TaskError } from '../../offline/task-error.ts';
import type { Handler, HandlerContext } from '../runtime/capsule/sdk.ts';
import { keepBans } from './files/bans.ts';
import { type Act, type Outcome, readWhole, writeChecked } from './files/file-tool.ts';
import { foundBefore, rawText } from './files/results.ts';
import { type Filled, type Form, form, matchForm } from './instruction/form.ts';
import { readInstruction } from './instruction/instruction.ts';
import {
  resultWords,
  summarise,
  summariseVerb,
  wishBefore,
  wishForm,
  wishOf,
} from './summary/wish.ts';

const can =
  'I summarise text files and earlier results by extraction, in a number of sentences, bullets or words.';
const give = '(?:give|write|make|create|produce|prepare|show|get|provide)(?: me)?';
const subject = `(?:(?:whole )?(?:contents? of |text of |files? |document )?<files:file+>|(?<results>${resultWords}))`;
const target = '(?: (?:to|into|as)(?: file)? <target:file>)?';
const points =
  '(?:key|main|most important|essential) (?:points?|sentences?|ideas?|takeaways?|messages?)';

const forms: readonly Form<Act>[] = [
  form(`${summariseVerb} ${subject}${wishForm}${target}`, summing),
  form(`${summariseVerb}${wishForm}`, summing),
  form(
    `(?:${give} )?${wishBefore}(?:summary|extract) (?:of|from|for) ${subject}${wishForm}${target}`,
    summing,
  ),
  form(`${give} ${wishBefore}summary${wishForm}`, summing),
  form(
    `in <n:n> (?<unit>sentences?|bullets?|points?|words?),? ${summariseVerb} ${subject}`,
    summing,
  ),
  form(
    `(?:${give}|list|extract|find|name|what are) (?:(?<before>\\d+) )?(?<bulletedBefore>${points}) (?:of|from|in) ${subject}`,
    summing,
  ),
];

function summing(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const wish = wishOf(filled);
    const texts = await textsFor(context, filled);
    const parts = texts.map(({ name, text }) => summarise(name, text, wish));
    const text = parts.map((part) => part.text).join('\n\n');
    const data = { sentences: parts.flatMap(({ extract }) => extract.sentences) };
    const path = filled.atom('target')?.value;
    if (path === undefined) return { text, data };
    await keepBans(context, filled.instruction, path);
    const bytes = await writeChecked(context, {
      path,
      content: `${text}\n`,
      reason: 'Save the summary',
    });
    return { text: `Saved as ${path} (${bytes} bytes, read back and compared).\n\n${text}`, data };
  };
}

/** The named files; else what earlier steps found. */
async function textsFor(
  context: HandlerContext,
  filled: Filled,
): Promise<readonly { name: string; text: string }[]> {
  const paths = filled.atoms('files').map(({ value }) => value);
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

/** Summarises by extraction. */
const extractSummaries: Handler = (context) =>
  matchForm(readInstruction(context.task), forms, can)(context);

export const handlers: Record<string, Handler> = { extract_summary: extractSummaries };
