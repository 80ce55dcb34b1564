import type { Filled } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { type Extract, type ExtractLimits, extractSummary } from './extract.ts';

const unit = '(sentences?|bullets?|bullet points?|points?|words?|lines?)';

/** Length and form after the word summary. */
export const wish = `[(in|as|with|using|to|into|of) [at most|up to|about|around|no more than|max|maximum|exactly] {n} unit:${unit} [or (less|fewer)]|bulleted:((in|as|with) (bullets?|bullet points?|bulleted points?|bulleted list|bullet list|bullet-points|list))]`;

/** The same before the word summary. */
export const wishBefore =
  '[short|brief|quick] [{before:n} [-] unitBefore:(sentence|word|line|bullet|point)|bulletedBefore:(bullet|bulleted|bullet-point)]';

export interface Wish extends ExtractLimits {
  readonly isBulleted: boolean;
}

/** Length and shape of a summary, as a filled form has them. */
export function wishOf(filled: Filled): Wish {
  const number = filled.number('n') ?? filled.number('before');
  const unit = filled.word('unit') ?? filled.word('unitBefore') ?? '';
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
 * A summary by extraction, labelled as such.
 *
 * @param name The name of the text.
 * @throws TaskError `INPUT_INVALID` if the text has no sentences, or only too long ones.
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
