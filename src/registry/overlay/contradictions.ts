/** A sentence of a text, with the line in which it begins, from 1. */
interface Sentence {
  readonly text: string;
  readonly line: number;
  /** Whether it forbids something. */
  readonly isBan: boolean;
  readonly words: ReadonlySet<string>;
}

/** Two sentences have the same subject if they share this many words, and this share of the shorter one's words. */
const FEWEST_SHARED = 3;
const SHARE = 0.7;

/**
 * Finds sentences of an overlay that allow what a skill forbids, or forbid what it asks for. It compares words, so it finds the obvious
 * cases for an author to judge.
 */
export function findContradictions(overlay: string, skill: string) {
  const rules = sentencesOf(skill);
  return sentencesOf(overlay).flatMap(({ text, line, isBan, words }) => {
    const rule = rules.find((one) => one.isBan !== isBan && isAbout(words, one.words));
    return rule ? [{ line, text, ruleText: rule.text }] : [];
  });
}

function isAbout(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const shared = [...some].filter((word) => others.has(word)).length;
  return shared >= FEWEST_SHARED && shared >= SHARE * Math.min(some.size, others.size);
}

const ban = /^(?:never|do not|don['’]t|avoid|no)\b|\b(?:never|must not|may not|don['’]t|do not)\b/i;

function sentencesOf(text: string): Sentence[] {
  let isUnderNever = false;
  let isCode = false;
  return text.split('\n').flatMap((raw, index) => {
    if (raw.startsWith('```')) isCode = !isCode;
    if (isCode || /^\s*\|/.test(raw)) return [];
    const [, heading] = /^#+\s+(.*)/.exec(raw) ?? [];
    if (heading !== undefined) {
      isUnderNever = /^never\b/i.test(heading);
      return [];
    }
    const plain = raw.replace(/\{\{[^{}]*\}\}|[*_`#]/g, '').replace(/^\s*(?:[-+]|\d+\.)\s+/, '');
    return plain.split(/(?<=[.;:!?])\s+/).flatMap((sentence): Sentence[] => {
      // An exception is not what the sentence is about.
      const words = wordsOf(sentence.replace(/\bunless\b.*/i, ''));
      if (words.size < FEWEST_SHARED) return [];
      return [
        { text: sentence, line: index + 1, isBan: isUnderNever || ban.test(sentence), words },
      ];
    });
  });
}

/** Words that occur in most rules. */
const common = new Set(
  'that this with what which when where there then than them they your from into only always never must should every each have does been will would could also more most other some such very just even still after before and the for not you are but may can its own'.split(
    ' ',
  ),
);

/** Stems of the words with four or more letters. */
const wordsOf = (sentence: string): Set<string> =>
  new Set(
    (sentence.toLowerCase().match(/[a-z]{4,}/g) ?? [])
      .filter((word) => !common.has(word))
      .map((word) => word.replace(/(?:ing|ed|es|s|e)$/, '')),
  );
