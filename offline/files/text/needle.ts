import { levelNames } from '../../language/log-words.ts';
import { singular } from '../../language/words.ts';
import type { Step } from '../../phrases/form.ts';
import { fail } from '../../task-error.ts';
import { findLines } from './sources.ts';

/** Words that describe a search instead of being the text to find. */
const vague =
  /^(?:|errors?|warnings?|anything|something|everything|files?|lines?|words?|it|them|duplicates?|numbers?|digits?|dates?|times?|links?|urls?|e-?mails?|address(?:es)?|names?|texts?|which|what|that|no|not|any|all)$/i;

/** A vague word, or several words that are no name such as `Mrs Pennington`. */
const isPhrase = (text: string): boolean =>
  vague.test(text) || /\s(?![\p{Lu}\d])|^\P{Lu}.*\s/u.test(text);

/** The text to find, as a regular expression and in words. An unquoted word must look like text: `ID lines`, but not `name lines`. */
export function needleOf(step: Step, isCounted = false) {
  const text = step.text('needle') || step.text('bare') || step.text('asName');
  const [isQuoted, isAnyCase] = [step.has('needle'), step.has('nocase')];
  const isVague = !/^[A-Z][A-Z0-9_]+$/.test(text) && (step.has('asName') || isPhrase(text));
  if (!isQuoted && isVague && !isAnyCase) {
    const how = `Put it in quotes if it is: Find the lines that contain "${text}" in …`;
    fail('NOT_UNDERSTOOD', `It is not clear whether "${text}" is the text to find. ${how}`);
  }
  // An unquoted word matches in any letter case, unless it is counted.
  const isWord = !(isQuoted || isCounted) && /^\p{Ll}+$/u.test(text);
  const found = patternOf(step, text, isWord);
  const [before, after] = step.word('line').startsWith('end') ? ['', '$'] : ['^', ''];
  const placed = step.has('line') ? `${before}(?:${found})${after}` : found;
  const pattern = step.has('not') ? `^(?!.*(?:${placed}))` : placed;
  const ignoreCase = isAnyCase || isWord;
  return { pattern, ignoreCase, shown: `"${text}"${ignoreCase ? ' (in any letter case)' : ''}` };
}

/** The lines with a level behind their time: `error lines` of a log in which all lines with a time have one there. */
export async function levelOf(step: Step) {
  const text = step.text('asName');
  const files = step.texts('files');
  const isLog = files.length > 0 && files.every((path) => /\.log$/i.test(path));
  // `ERROR` is the text itself.
  const isText = text === text.toUpperCase();
  const names = isLog && !isText ? levelNames.get(singular(text)) : undefined;
  if (names === undefined) return undefined;
  const found = (pattern: string) => findLines(step, { pattern, ignoreCase: true });
  const time = String.raw`^\[?\d{4}-\d\d-\d\d`;
  const withLevel = (levels: string) =>
    String.raw`${time}[\dT:.,+Z\]\s|-]*[[(<]?(?:${levels})(?![\w-])`;
  const { total } = await found(withLevel([...levelNames.values()].join('|')));
  if (total === 0 || total < (await found(time)).total) return undefined;
  const shown = `the level ${names.replace(/\|.*/, '')}`;
  return { pattern: withLevel(names), ignoreCase: true, shown };
}

/** The pattern of a needle. Deleting lines with `cat` must not match `category`. */
function patternOf(step: Step, text: string, isWord: boolean): string {
  if (step.tokens('needle')[0]?.kind === 'pattern' || step.has('isPattern')) return text;
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return isWord && step.has('drop') ? `(?<![\\wÀ-ɏ])${literal}(?:e?s)?(?![\\wÀ-ɏ])` : literal;
}
