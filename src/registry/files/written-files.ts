import { byScript } from '../../platform/text/by-script.ts';
import { abbreviations, aFile, bare, inQuotes } from './named-files.ts';

/** A file that a text says to write. */
export interface WrittenFile {
  readonly name: string;
  /** Whether the text may also mean a file that it only reads: then an existing file is enough. */
  readonly mayExist: boolean;
}

/** Names without an extension, except formats, such as in *save it as CSV*. */
const plainName = String.raw`(?:[\w.-]+\/){0,9}(?:(?:make|docker|container|jenkins|vagrant|proc|gem|rake|brew|just|pip)file|readme|license|changelog|codeowners|\.[a-z]\w{1,30})(?![\w/-]|\.\w)`;
const labelled = String.raw`(?:^|[,;(.])\s*(?:(?:and|the)\s+){0,2}(?:outputs?|results?)(?:\s+files?)?\s*[:=]\s*`;
const created = String.raw`\b(?:write|create|generate|produce)\s+${aFile}`;
const form = byScript(
  String.raw`(?:\b(?<word>as|to|into|in)\s+${aFile}|(?<label>${labelled}|${created})|(?:->|=>|→)\s*)(?:${inQuotes}|(?<bare>${bare})|(?<plain>${plainName}))`,
  'gim',
);

/** Words that each form contains: without them, the form is not compiled. */
const isPossible = /\b(?:as|to|into|in|outputs?|results?|write|create|generate|produce)\b|->|=>|→/i;

const saveVerb =
  /\b(?:sav(?:e[ds]?|ing)|stor(?:e[ds]?|ing)|writ(?:es?|ing)|export|put|(?:generate|create|produce)[ds]?)\b(?!\.\w)/i;
const changeVerb =
  /\b(?:(?:output|dump|append|add|insert|extract|collect|convert|join|split|turn|transform|sort|filter|render|print|download|record|note)(?:s|ed|ing)?|(?:prepend|move|copy|rename|duplicate|translate|merge|combine|summari[sz]e|rewrite|make)[ds]?)\b(?!\.\w)/i;

/** The text before *to* or *as* ends like this if the file named next is only read. */
const comparison =
  /(?:\bcompar\w*(?:\s+(?!sav|writ|stor|put|export)\S+){0,4}|\b(?:changes?|differences?|diff)\s+from\s+\S+|\b(?:an?|add|insert)\s+(?:links?|references?|pointers?)|\bsame(?:\s+(?!sav|writ|stor|put|export)\S+){0,4}|\bas\s+(?:well|long|soon|far|much|many)|\b(?:accord\w*|similar|identical|equal\w*|relative|respect|refer\w*|correspond\w*|belong\w*|such|known|described|use|look))\s*$/i;

/** The text before *in* ends like this if the file named next is written. */
const pronoun = /\b(?:it|them|this|that|these|those|everything)(?:\s+down)?\s*$/i;
const noteVerb = /\b(?:note|record|log|enter|jot|collect|dump)\s+\S+(?:\s+down)?\s*$/i;

/** The text before a new name without a folder ends like this: the file may stay in its own folder. */
const renamesInFolder = /\brenam\w*\s(?:\S+\s+){0,2}\S+\/\S+\s*$/i;

const hasFile = byScript(`${inQuotes}|${bare}`, 'i');

const fenceOrQuote =
  /((?:\b(?:as|to|into|in)\s|\b(?:output|result)s?(?: files?)?\s*[:=])\s*)?(?:```.*?(?:```|$)|"[^"\n]*"|`[^`\n]*`)/gis;
const product = /^(?:(?:node|vue|next|nuxt|react|express|three|d3)\.js|.*\.(?:com|org|net|io))$/i;

/** Files that a text asks to write. Knows more forms than the `outputs` of `findNamedFiles`. */
export function findWrittenFiles(text: string): readonly WrittenFile[] {
  const plain = text
    .slice(0, 20_000)
    .replace(fenceOrQuote, (whole, before: string | undefined) => (before ? whole : ' '));
  if (!isPossible.test(plain)) return [];
  return [...plain.matchAll(form(plain))].flatMap((match) => {
    const { bare: named, plain: known, ...how } = match.groups ?? {};
    const name = match[3] ?? named ?? known ?? '';
    const before = sentenceBefore(plain, match.index);
    const use = isNoFile(name, before) ? undefined : useOf(how, before);
    if (use === undefined || (known !== undefined && !saveVerb.test(before))) return [];
    const after = sentenceAfter(plain, match.index + match[0].length);
    const isConditional = /^\s*(?:if|unless)\b/i.test(before) || /\b(?:if|unless)\b/i.test(after);
    return [{ name, mayExist: use === 'unsure' || isConditional }];
  });
}

/** Whether a name does not say which file is written. */
const isNoFile = (name: string, before: string): boolean =>
  name.includes('*') ||
  abbreviations.has(name.toLowerCase()) ||
  product.test(name) ||
  (!name.includes('/') && renamesInFolder.test(before));

const sentenceEnd = /[.;!?]\s|\n/;
const sentenceBefore = (text: string, end: number): string =>
  text
    .slice(Math.max(0, end - 500), end)
    .split(sentenceEnd)
    .at(-1) ?? '';
const sentenceAfter = (text: string, start: number): string =>
  text.slice(start, start + 500).split(sentenceEnd)[0] ?? '';

/** Whether the file named next is certainly or possibly written; undefined if it is only read. */
function useOf(
  { word, label }: Readonly<Record<string, string | undefined>>,
  before: string,
): 'sure' | 'unsure' | undefined {
  if (label !== undefined) return 'sure';
  const hasVerb = saveVerb.test(before) || changeVerb.test(before);
  if (word?.toLowerCase() === 'in') return useAfterIn(before, hasVerb);
  return hasVerb && !comparison.test(before) ? 'sure' : 'unsure';
}

function useAfterIn(before: string, hasVerb: boolean): 'sure' | 'unsure' | undefined {
  if (pronoun.test(before) && (hasVerb || noteVerb.test(before))) return 'sure';
  return saveVerb.test(before) || (hasVerb && hasFile(before).test(before)) ? 'unsure' : undefined;
}
