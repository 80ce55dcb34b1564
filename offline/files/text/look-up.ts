import type { HandlerContext, Outcome } from '../../context.ts';
import { plainText } from '../../language/escape.ts';
import { type Token, tokenize } from '../../language/lexer.ts';
import { fillers } from '../../language/lexicon.ts';
import { filesIn } from '../../phrases/name-file.ts';
import { readWhole } from '../file-tool.ts';
import { linesOf } from './sources.ts';

/** Most texts that are read, and most places that are quoted. */
const MAX_TEXTS = 30;
const MAX_QUOTED = 3;

/** What is asked for, and what a sentence with the answer must have. */
const wanted: readonly (readonly [asked: RegExp, holds: RegExp])[] = [
  [
    /\b(?:phone|telephone|mobile) ?(?:numbers?)?\b/,
    // With a word or a sign for it, or in the spelling of one: a postcode and a date have digits, too.
    /\b(?:tel|telephone|phone|mobile|cell)\b\D{0,9}\d[\d ()/-]{3,}\d|(?<![\w.-])(?:\+|\(|0)\d[\d ()/-]{5,}\d|\b\d{3}[- ]\d{3}[- ]\d{4}\b|^[\d ]{7,}$/i,
  ],
  [/\b(?:e-?mail|mail) ?(?:address)?\b/, /\S@\S/],
  [/\b(?:web ?site|homepage|web page|url|web address|link)\b/, /https?:|www\./i],
  [
    /^(?:when|at what time|what time|on what day)\b/,
    /\d|\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|midnight)\b/i,
  ],
  [/^how much\b/, /\d/],
  [/^who\b/, /[^.!?] \p{Lu}\p{Ll}+|^\W*\p{Lu}\p{Ll}+/u],
  [/^(?:where|what is|what's|whats|what was)\b/, /./],
];

const isQuestion =
  /^(?:what|who|when|where|how|which|on what|at what|(?:show|find|give|tell|look up)\b)/;

/** Questions that a quotation does not answer. */
const isOther =
  /\b(?:not|never|no|without|how many|how often|average|total|most|least|more|less|fewer|should|would|could|why|\w+n't|\w{3,}est|and|or|if|changed?|commits?)\b/i;

const askedWords =
  /^(?:phone|telephone|mobile|number|email|e-mail|mail|address|website|site|homepage|web|page|url|link|when|where|how|much|who|what|whats|time|day)$/;

/** The beginning of a word, without the end of its form: `leav` for `leaves`. */
const rootOf = (word: string): string =>
  word.length < 5 ? word.replace(/s$/, '') : word.replace(/(?:'s|ing|ed|es|s|e)$/, '');

const rootsOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(({ kind, norm }) =>
    /^(?:word|number|date|quote)$/.test(kind) ? [rootOf(norm.replace(/['’]s$/, ''))] : [],
  );

/**
 * Quotes the sentences of text files that have all words of a question, and a value of the kind that it asks for: a time
 * after `when`, a number after `phone number of`. Undefined if there are none, or many.
 */
export async function lookUp(context: HandlerContext): Promise<Outcome | undefined> {
  const asked = context.task.trim().toLowerCase();
  const [, holds] = wanted.find(([pattern]) => pattern.test(asked)) ?? [];
  if (!holds || !isQuestion.test(asked) || isOther.test(asked)) return undefined;
  const tokens = tokenize(context.task);
  const words = rootsOf(
    tokens.filter(({ norm }) => !fillers.has(norm) && !askedWords.test(norm.replace(/['’]s$/, ''))),
  );
  if (words.length < (holds.source === '.' ? 2 : 1)) return undefined;
  const named = tokens.flatMap(({ kind, text }) => (kind === 'file' ? [text] : []));
  const texts = (await filesIn(context)).filter((path) => /\.(?:md|txt|markdown)$/i.test(path));
  const paths = named.length > 0 ? texts.filter((path) => named.includes(path)) : texts;
  const found: string[] = [];
  for (const path of paths.slice(0, MAX_TEXTS))
    found.push(...(await quotesOf(context, path, { words, holds })));
  if (found.length === 0 || found.length > MAX_QUOTED) return undefined;
  const note = 'Quoted word for word: the places that have all words of the question.';
  return { text: [...found, note].join('\n\n'), data: { lines: found } };
}

async function quotesOf(
  context: HandlerContext,
  path: string,
  { words, holds }: { readonly words: readonly string[]; readonly holds: RegExp },
): Promise<string[]> {
  const { content } = await readWhole(context, path);
  const lines = linesOf(content);
  const hasAll = (text: string) => {
    const own = rootsOf(tokenize(text));
    return words.every((word) => own.includes(word));
  };
  return lines.flatMap((line, at) => {
    const parts = line.split(/(?<=[.!?]) +(?=\p{Lu})/u);
    const found = parts.filter((part) => holds.test(part) && hasAll(part));
    // An address below the name that begins its block.
    const isTop = isBlank(lines[at - 1]) && holds.source !== '.' && hasAll(line);
    const end = lines.findIndex((one, index) => index > at && isBlank(one));
    const below = lines.slice(at + 1, end < 0 ? undefined : end).filter((one) => holds.test(one));
    const isBelow = found.length === 0 && isTop && /[@:\d]/.test(holds.source);
    const quoted = isBelow && below.length === 1 ? [`${line.trim()} … ${below[0]?.trim()}`] : found;
    return quoted.map((text) => `${path}, line ${at + 1}:\n\n> ${plainText(text.trim())}`);
  });
}

const isBlank = (line: string | undefined): boolean => (line ?? '').trim() === '';
