const stopWords = new Set(
  'a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or other our out over own same she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your may must shall using use used one two'.split(
    ' ',
  ),
);

const termsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      .filter((word) => word.length > 2 && !stopWords.has(word))
      .map((word) => word.replace(/(?:ing|edly|ed|ies|es|s)$/, '')),
  );

const wordCount = (text: string) => text.match(/\S+/g)?.length ?? 0;

/** The most important sentences of a text, in its order, by their terms and position. Default: a tenth of all, at least 3, at most 7. `of`: how many it has. */
export function extractSummary(
  text: string,
  limits: { readonly sentences?: number | undefined; readonly words?: number | undefined } = {},
): { readonly sentences: readonly string[]; readonly of: number } {
  const all = rated(sentencesOf(text));
  const most = limits.sentences ?? Math.min(7, Math.max(3, Math.round(all.length / 10)));
  const picked: typeof all = [];
  let left = limits.words ?? Number.POSITIVE_INFINITY;
  for (const one of all.toSorted((a, b) => b.score - a.score || a.at - b.at)) {
    const words = wordCount(one.text);
    const repeats = picked.some(({ terms }) => likeness(terms, one.terms) > 0.6);
    if (picked.length >= most || repeats || words > left) continue;
    picked.push(one);
    left -= words;
  }
  const inOrder = picked.toSorted((a, b) => a.at - b.at);
  return { sentences: inOrder.map((one) => one.text), of: all.length };
}

/** Sentences with their terms and a score for their importance. */
function rated(all: ReturnType<typeof sentencesOf>) {
  const terms = all.map(({ text }) => termsOf(text));
  const times = new Map<string, number>();
  for (const term of terms.flatMap((set) => [...set])) times.set(term, (times.get(term) ?? 0) + 1);
  return all.map(({ text, paragraph, startsParagraph, isItem }, at) => {
    const own = terms[at] ?? new Set();
    const weight = [...own].reduce((sum, term) => sum + Math.log(1 + (times.get(term) ?? 0)), 0);
    const size = wordCount(text);
    const place = (at === 0 ? 1.6 : startsParagraph ? 1.2 : 1) * (paragraph === 0 ? 1.2 : 1);
    const shape = isItem || size < 5 || size > 60 ? 0.4 : 1;
    const score = (weight / Math.sqrt(Math.max(own.size, 4))) * place * shape;
    return { text, at, terms: own, score };
  });
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared / (Math.min(a.size, b.size) || 1);
}

const abbreviated =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|no|incl|resp|cf|dr|mr|mrs|ms|prof|st|fig|al|inc|ltd|co|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|[A-Z])\.$/i;
/** Maximum length of a paragraph, in characters. A longer one is not prose. */
const maxParagraphChars = 20_000;
/** Maximum length of a sentence, in characters. A longer one is lines of a log or a table. */
const maxSentenceChars = 1_000;

/** Marks the beginning of an item of a list. */
const item = '\0';

/** Parts of a text or Markdown document that are not prose, and their replacements. */
const noProse: readonly (readonly [RegExp, string])[] = [
  [/\r\n/g, '\n'],
  [/^(?:```|~~~)[^\n]*\n[\s\S]*?^(?:```|~~~)[^\n]*$/gm, ''],
  [/^---\n[\s\S]*?\n---\n/, ''],
  [/^#{1,6} .*$/gm, '\n'],
  [/^\s*\|.*$/gm, ''],
  [/^\s*(?:[-=*_]\s*){3,}$/gm, '\n'],
  [/!\[[^\]\n]*\]\([^)\n]*\)/g, ''],
  [/\[([^\]\n]+)\]\([^)\n]*\)/g, '$1'],
  [/^\s*>\s?/gm, ''],
  [/^(\s*(?:[-*+]|\d+[.)])\s.*)\n(?=[^\s\p{Ll}])/gmu, '$1\n\n'],
  [/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\] )?/gm, `\n\n${item}`],
];

const note = /^(?:TODO|FIXME|NOTE)\b/;
const label = new RegExp(`${note.source}|^\\p{Lu}[\\p{L} ]{1,30}: `, 'u');
const maxShortChars = 49;

/** Joins the lines of a paragraph that go on in the next one. */
function joinedLines(paragraph: string): readonly string[] {
  const lines = paragraph.split('\n');
  const longest = Math.max(...lines.map(({ length }) => length));
  const isList = longest <= maxShortChars && !/[.!?,;]$/m.test(paragraph);
  const joined: string[] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    const goesOn = before !== undefined && /^[\s\p{Ll}\d]/u.test(line);
    const isNew = !goesOn && (isList || before === undefined || ends(before, line, longest));
    if (isNew) joined.push(line);
    else joined.push(`${joined.pop()} ${line}`);
  }
  return joined;
}

/** Whether a sentence ends with a line, or the break was meant: the next word had fitted, or both lines have a label. */
function ends(line: string, next: string, longest: number): boolean {
  if (label.test(line) && label.test(next)) return true;
  const isSentence = line.length <= maxShortChars && /[.:;!?]$/.test(line);
  const withNext = line.length + (next.match(/^\S+/)?.[0].length ?? 0);
  return isSentence || (withNext * 2 <= longest && !line.endsWith(','));
}

/** The sentences of a text or Markdown document, without code, tables, headings and link targets. An item may be a note: `TODO: …`. */
export function sentencesOf(text: string) {
  return noProse
    .reduce((prose, [pattern, by]) => prose.replace(pattern, by), text)
    .split(/\n\s*\n/)
    .flatMap((one) => (one.length > maxSentenceChars ? one : joinedLines(one)))
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim().slice(0, maxParagraphChars))
    .filter((paragraph) => paragraph !== '')
    .flatMap((one, paragraph) =>
      splitSentences(one.replaceAll(item, '')).map((text, at) => ({
        ...{ text, paragraph, startsParagraph: at === 0 },
        isItem: one.startsWith(item) || note.test(text),
      })),
    );
}

function splitSentences(paragraph: string): readonly string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const match of paragraph.matchAll(/[.!?…]+["'”’)\]]*\s+(?=[\p{Lu}\p{N}"'“‘([`*_])/gu)) {
    const end = match.index + match[0].trimEnd().length;
    if (abbreviated.test(paragraph.slice(from, end))) continue;
    sentences.push(paragraph.slice(from, end).trim());
    from = end;
  }
  return [...sentences, paragraph.slice(from).trim()].filter(
    (sentence) => sentence.length <= maxSentenceChars && /\p{L}/u.test(sentence),
  );
}
