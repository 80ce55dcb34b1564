import { TaskError } from '../../../offline/task-error.ts';
import type { Filled } from '../instruction/form.ts';
import { type Extract, type ExtractLimits, extractSummary } from './extract.ts';

/** How forms spell length and shape behind a summary. */
export const wishForm =
  '(?:,? (?:in|as|with|using|to|into|of)(?: at most| up to| about| around| no more than| max| maximum| exactly)? (?<n>\\d+)(?:-| )?(?<unit>sentences?|bullets?(?: points?)?|points?|words?|lines?)(?: or (?:less|fewer))?|,? (?<bulleted>(?:in|as|with) (?:bullets?(?: points?)?|bullet(?:ed)?[- ](?:points?|list)|list)(?: points?)?))?';
/** How forms spell them in front of the word summary. */
export const wishBefore =
  '(?:(?<before>\\d+)[- ](?<unitBefore>sentence|word|line|bullet|point) |(?<bulletedBefore>bullet(?:ed|-point)? ))?';
export const summariseVerb = '(?:summarise|summarize|condense)';
/** How forms spell the results of earlier steps. */
export const resultWords =
  '(?:it|them|this|that|these|those|everything|(?:(?:earlier|previous) )?(?:results?|outputs?|findings|answers?|pages?|texts?|contents?|response|article|document|file|report)(?: (?:of|from) (?:earlier|previous) steps?)?)';

export interface Wish extends ExtractLimits {
  readonly isBulleted: boolean;
}

/** Length and shape of a summary, as a filled form has them. */
export function wishOf(filled: Filled): Wish {
  const count = filled.word('n') ?? filled.word('before');
  const unit = (filled.word('unit') ?? filled.word('unitBefore') ?? '').toLowerCase();
  const number = count === undefined ? undefined : Number(count);
  const isWords = unit.startsWith('word');
  const isBulleted =
    /^(?:bullet|point)/.test(unit) ||
    filled.word('bulleted') !== undefined ||
    filled.word('bulletedBefore') !== undefined;
  if (number === 0)
    throw new TaskError('INPUT_INVALID', 'A summary of 0 is none: ask for at least 1.');
  return {
    isBulleted,
    sentences: isWords ? undefined : number,
    words: isWords ? number : undefined,
  };
}

/**
 * A summary by extraction, said to be one.
 *
 * @param name What it is a summary of.
 * @throws TaskError `INPUT_INVALID` where the text has no sentences, or none that is short enough.
 */
export function summarise(
  name: string,
  text: string,
  wish: Wish,
): { readonly text: string; readonly extract: Extract; readonly body: string } {
  const extract = extractSummary(
    text,
    wish.words === undefined ? wish : { ...wish, sentences: 1_000 },
  );
  if (extract.of === 0)
    throw new TaskError(
      'INPUT_INVALID',
      `${name} has no sentences to summarise. Of logs and tables ask for counts, groups or the first lines, or use a language model (CAPSTAN_PROVIDER).`,
    );
  if (extract.sentences.length === 0) {
    throw new TaskError(
      'INPUT_INVALID',
      `No sentence of ${name} has ${wish.words} words or fewer, and an extract does not shorten sentences. Allow more words, or use a language model (CAPSTAN_PROVIDER).`,
    );
  }
  const body = wish.isBulleted
    ? extract.sentences.map((sentence) => `- ${sentence}`).join('\n')
    : extract.sentences.join(' ');
  const lead = `Extract of ${name}: ${extract.sentences.length} of its ${extract.of} sentences, word for word, chosen by rule.`;
  const short =
    wish.sentences !== undefined && extract.sentences.length < wish.sentences
      ? ` (${wish.sentences} were asked for; the others only repeat these, or there are no more.)`
      : '';
  return { text: `${lead}${short}\n\n${body}`, extract, body };
}
