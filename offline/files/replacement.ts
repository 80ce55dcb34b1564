import type { Step } from '../phrases/form.ts';
import { fail } from '../task-error.ts';

/** Words that describe a text or a change of it. */
export const describing =
  /\b(?:tabs?|spaces?|commas?|semicolons?|dots?|periods?|colons?|quotes?|quotation|newlines?|breaks?|lines?|words?|letters?|digits?|numbers?|dates?|names?|everything|anything|nothing|something|it|them|its?|their|his|her|your|this|that|these|those|texts?|titles?|headings?|first|second|last|upper-?case|lower-?case|capitals?|bold|italics?|plural|singular|empty|correct|right|current|today|all|each|every|of|one)\b/i;

/** Whether a text can only be meant literally: a name, a number, an identifier. */
export const isLiteral = (text: string) => /[\p{Lu}\d_.$@#]|:\/\//u.test(text);

/** The texts of a replacement and the pattern of the old one. Unquoted words must be literal, or, after `replace`, not describe a text such as `tabs`. */
export function replacementOf(step: Step) {
  const isPlain = !step.has('verb') || step.word('verb') === 'rename';
  const [old, by] = [literal(step, 'old', isPlain), literal(step, 'new', isPlain)];
  if (old === '') fail('INPUT_INVALID', 'The text to replace is empty.');
  const texts = { old, by, isWord: step.has('bareOld') || step.has('fix') };
  const source = old.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (!texts.isWord) return { ...texts, pattern: new RegExp(source, 'g') };
  // `garages` is a form of `garage`, but `splitRows` is not a form of `splitRow`.
  const end = /^\p{L}\p{Ll}+$/u.test(old)
    ? "(?=(?:'?s)?(?![\\p{L}\\p{N}_]))"
    : '(?![\\p{L}\\p{N}_])';
  const start = /^[\p{L}\p{N}_]/u.test(old) ? '(?<![\\p{L}\\p{N}_])' : '';
  const stop = /[\p{L}\p{N}_]$/u.test(old) ? end : '';
  return { ...texts, pattern: new RegExp(`${start}${source}${stop}`, 'gu') };
}

function literal(step: Step, name: 'old' | 'new', isPlain: boolean): string {
  const bare = name === 'old' ? 'bareOld' : 'bareNew';
  const words = step.text(bare).replace(/(?<=:\/\/) (?:links?|urls?|addresses)$/, '');
  if (step.has(name) || words === '') return step.text(name);
  const before = step.task.slice(0, step.tokens(bare)[0]?.start);
  const isDescribed = /\b(?:the|a|an|my|our) $/i.test(before) || describing.test(words);
  if (isLiteral(words) ? !/\s/.test(words) || !isDescribed : isPlain && !isDescribed) return words;
  const how = 'Put it in quotes if it is the text: replace "old" with "new".';
  return fail('NOT_UNDERSTOOD', `"${words}" may be the text itself or describe it. ${how}`);
}
