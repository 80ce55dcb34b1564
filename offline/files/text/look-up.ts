import type { HandlerContext, Outcome } from '../../context.ts';
import { plainText } from '../../language/escape.ts';
import { type Token, tokenize } from '../../language/lexer.ts';
import { fillers, rowsOf } from '../../language/lexicon.ts';
import { nameWords } from '../../language/words.ts';
import { filesIn } from '../../phrases/name-file.ts';
import { readWhole } from '../file-tool.ts';
import { linesOf } from './sources.ts';

/** Maximum number of texts read, of places quoted, and of lines in a place. */
const MAX_TEXTS = 30;
const MAX_QUOTED = 3;
const MAX_LINES = 12;
const MAX_PASSAGE_CHARS = 1_000;

/** Questions, and the pattern of a sentence with the answer. Postcodes and dates are no phone numbers. */
const wanted = rowsOf(String.raw`
\b(?:phone|telephone|mobile) ?(?:numbers?)?\b => \b(?:tel|telephone|phone|mobile|cell)\b\D{0,9}\d[\d ()\/-]{3,}\d|(?<![\w.-])(?:\+|\(|0)\d[\d ()\/-]{5,}\d|\b\d{3}[\- ]\d{3}[\- ]\d{4}\b|^[\d ]{7,}$
\b(?:e-?mail|mail) ?(?:address)?\b => \S@\S
\b(?:web ?site|homepage|web page|url|web address|link)\b => https?:|www\.
^(?:(?:until |since )?when|at what time|what time|on what day)\b => \d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|noon|midnight)\b
^how much\b => \d
^who\b => (?:[^.!?] |^\W*(?=\p{Lu}\p{Ll}+ \p{Lu}))(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b)\p{Lu}\p{Ll}+ => u
^what are the steps\b => ^\s*\d+[.)]\s
^what (?:was|did we|have we) (?:decided?|agreed?)\b => \b(?:deci(?:ded|sion)|agree)
^what (?:do|does) .* say (?:about|on)\b => .
^(?:where|what is|what's|whats|what was|what are|how (?:do|can) (?:i|we|you))\b => .
`);

/** Questions for everything below a heading: `what's on the shopping list`, `how do I roll back`. */
const asksForSection =
  /^(?:what(?:'s| is|s) (?:on|under)|what are the steps|how (?:do|can) (?:i|we|you))\b/;

const isQuestion =
  /^(?:what|who|when|where|how|which|on what|at what|until when|since when|(?:show|find|give|tell|look up)\b)/;

/** Words of questions that a quotation can't answer. */
const isOther =
  /\b(?:not|never|no|without|how many|how often|average|total|most|least|more|less|fewer|should|would|could|why|\w+n't|\w{3,}est|and|or|if|changed?|commits?)\b/i;

const askedWords =
  /^(?:about|under|list|decided?|agreed?|steps|says?|until|since|phone|telephone|mobile|number|email|e-mail|mail|address|website|site|homepage|web|page|url|link|when|where|how|much|who|what|whats|time|day)$/;

/** The stem of a word: `leav` for `leaves`, `rule` for `rules`. */
function rootOf(word: string): string {
  const one = word.replace(/(?<=x|s|ch|sh|z)es$|(?<!s)s$/, '');
  return one.length < 5 ? one : one.replace(/(?:ing|ed|e)$/, '');
}

const rootsOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(({ kind, norm }) =>
    /^(?:word|number|date|quote)$/.test(kind)
      ? norm.split(/\s+/).map((word) => rootOf(word.replace(/['’]s$/, '').replace(/ies$/, 'y')))
      : [],
  );

/** Quotes the sentences of texts that have all words of a question and a value of its kind: a time for `when`. Undefined if there are none, or too many. */
export async function lookUp(context: HandlerContext): Promise<Outcome | undefined> {
  const asked = context.task.trim().toLowerCase();
  const tokens = tokenize(context.task);
  const named = tokens.flatMap(({ kind, text }) => (kind === 'file' ? [text] : []));
  // `…, and who was the customer?` is about the answer before it.
  const isFollowing = context.results.length > 0 && named.length === 0;
  const sought = isOther.test(asked) || isFollowing ? undefined : soughtBy(asked, tokens);
  if (!sought) return undefined;
  const endings = /^when\b/.test(asked) ? /\.(?:md|txt|markdown|log)$/i : /\.(?:md|txt|markdown)$/i;
  const texts = (await filesIn(context)).filter((path) => endings.test(path));
  const paths = named.length > 0 ? texts.filter((path) => named.includes(path)) : texts;
  const found: Quotes[] = [];
  for (const path of paths.slice(0, MAX_TEXTS))
    found.push(quotesOf((await readWhole(context, path)).content, path, sought));
  const kinds: readonly Kind[] = asksForSection.test(asked)
    ? ['section']
    : ['own', 'below', 'section'];
  const [all = []] = kinds
    .map((kind) => found.flatMap((one) => one[kind]))
    .filter(({ length }) => length > 0);
  // `parking` is in fewer places than other forms of `park`.
  const wordsIn = (text: string) => sought.said.filter((word) => text.toLowerCase().includes(word));
  const most = Math.max(0, ...all.map((text) => wordsIn(text).length));
  const quoted =
    all.length > MAX_QUOTED ? all.filter((text) => wordsIn(text).length === most) : all;
  if (quoted.length === 0 || quoted.length > MAX_QUOTED) return undefined;
  const note = 'Quoted verbatim: the places with all words of the question.';
  return { text: [...quoted, note].join('\n\n'), data: { lines: quoted } };
}

/** What a question asks for. Undefined for another question, or if too few words say it. */
function soughtBy(asked: string, tokens: readonly Token[]) {
  const [, held, flags = 'iu'] =
    wanted.find(([pattern = '']) => new RegExp(pattern).test(asked)) ?? [];
  if (held === undefined || !isQuestion.test(asked)) return undefined;
  const telling = tokens.filter(
    ({ norm }) => !fillers.has(norm) && !askedWords.test(norm.replace(/['’]s$/, '')),
  );
  const words = rootsOf(telling);
  const isVague = (held === '.' && !asksForSection.test(asked)) || /^who (?!is|are)/.test(asked);
  const said = telling.map(({ norm }) => norm);
  const isFew = words.length < (isVague ? 2 : 1);
  return isFew ? undefined : { words, said, holds: new RegExp(held, flags) };
}

/** Quoted places: sentences with all words, sentences below a heading with the other words, sections below a heading with all words. */
type Quotes = Readonly<Record<Kind, readonly string[]>>;
type Kind = 'own' | 'below' | 'section';

type Sought = NonNullable<ReturnType<typeof soughtBy>>;

/** A line of a text with those around it. */
interface Place {
  readonly line: string;
  readonly before: string | undefined;
  readonly rest: readonly string[];
  /** The name of its file, its first line and the headings above it. */
  readonly above: readonly string[];
}

/** The places of a text with all words of the question and a value of the kind that it asks for. */
function quotesOf(content: string, path: string, sought: Sought): Quotes {
  const quotes: Record<Kind, string[]> = { own: [], below: [], section: [] };
  const headings: string[] = [];
  const lines = linesOf(content);
  const [title = ''] = lines;
  for (const [at, line] of lines.entries()) {
    const level = /^#{1,6}(?= )/.exec(line)?.[0].length ?? 0;
    if (level > 0) headings.splice(level - 1, 6, line);
    const [before, rest] = [lines[at - 1], lines.slice(at + 1)];
    const place = { line, before, rest, above: [nameWords(path).join(' '), title, ...headings] };
    const [kind, texts] = level > 0 ? sectionAt(place, sought) : sentenceAt(place, sought);
    const quoted = texts.map((text) => `> ${plainText(text.trim())}`).join('\n');
    if (texts.length > 0) quotes[kind].push(`${path}, line ${at + 1}:\n\n${quoted}`);
  }
  return quotes;
}

const rootsIn = (texts: readonly string[]) => texts.flatMap((text) => rootsOf(tokenize(text)));

type Quoted = readonly [kind: Kind, texts: readonly string[]];

/** A heading with all the words, and its section. */
function sectionAt({ line, rest }: Place, { words, holds }: Sought): Quoted {
  const own = rootsIn([line]);
  const hasAll = words.every((word) => own.includes(word)) || own.includes(words.join(''));
  const end = rest.findIndex((one) => one.startsWith('#'));
  const below = rest
    .slice(0, end < 0 ? undefined : end)
    .filter((one) => !isBlank(one) && holds.test(one));
  const isShort = below.length > 0 && below.length <= MAX_LINES;
  return ['section', hasAll && isShort ? [line, ...below] : []];
}

/** The sentence with the words. */
function sentenceAt({ line, before, rest, above }: Place, { words, holds }: Sought): Quoted {
  const has = (roots: readonly string[]) => words.every((word) => roots.includes(word));
  const parts = line.split(/(?<=[.!?]) +(?=\p{Lu})/u).filter((one) => holds.test(one));
  const own = parts.find((part) => has(rootsIn([part])));
  if (own !== undefined) return ['own', [asksForPassage(holds, line) ? line : own]];
  // An address below a name at the start of its block.
  const isTop = isBlank(before) && /[@:\d]/.test(holds.source) && has(rootsIn([line]));
  const end = rest.findIndex(isBlank);
  const [first, ...others] = rest
    .slice(0, end < 0 ? undefined : end)
    .filter((one) => isTop && holds.test(one));
  if (first !== undefined && others.length === 0)
    return ['own', [`${line.trim()} … ${first.trim()}`]];
  const under = parts.find((part) => {
    const roots = rootsIn([part]);
    return words.some((word) => roots.includes(word)) && has([...roots, ...rootsIn(above)]);
  });
  return ['below', under === undefined ? [] : [under]];
}

/** What a text says about something is often more than one sentence of a line. */
const asksForPassage = ({ source }: RegExp, line: string): boolean =>
  source === '.' && line.length <= MAX_PASSAGE_CHARS;

const isBlank = (line: string | undefined): boolean => (line ?? '').trim() === '';
