import { monthPattern, type Token } from '../language/lexer.ts';
import { numberWords } from '../language/lexicon.ts';
import type { Instruction } from '../phrases/instruction.ts';

/** Words of a question about commits that do not say which ones. */
const plain = new Set(
  'show list give print get see display tell me git log history commit commits committed committing what which who when how many number count is are was were be been do does did has have had there made make wrote created it its and or to of in on by with about from for all any anyone anything we so far here now this repo repository project folder workspace message messages author authors person people committer date dates hash name say says said files file changed change changes touched touch modified modify edited edit affected affect updated part went go got came into contain contains included each per every often at recent recently latest last newest most'.split(
    ' ',
  ),
);

/** The format of one commit. */
export const commitFormat = '--date=short "--format=%h %ad %an: %s"';

const last = 'last|latest|newest|most recent';
const isLast = new RegExp(`\\b(?:${last})\\b`);
const isOneCommit = (text: string) => isLast.test(text) && !/\bcommits\b/.test(text);

/** Commits that are chosen by author or file, and then by time. `changed a.txt in the last commit` is the other way round. */
const isLastOf = new RegExp(
  `\\blast committed\\b|\\bwhen did (?:(?!make )\\S+ ){1,2}last commit$|['’]s (?:${last}) (?:\\d+ )?commits?\\b|\\b(?:${last}) (?:\\d+ )?commits? (?:made )?(?:by|of|from|to|for|in|on) (?:file )?\\S+(?: \\p{L}+)?$`,
  'u',
);

const perAuthor =
  /\b(?:per|by|each|every) (?:author|person|committer)\b|\b(?:commits|how many) each\b(?! \w)/;
const whoCommits =
  /^who .* ?most commits\b|^who (?:(?:has|have|had) )?(?:been |made )?commit(?:s|ted|ting)?\b/;

/** Words of a question that the number of commits of each author does not answer. */
const isMore =
  /^who .*\bwhat\b|\b(?:last|latest|newest|recent|recently|files?|messages?|dates?|changes?|when|and(?! how many each))\b/;

/** What a question about commits asks for. Undefined for figures that no command gives. */
function askedIn(text: string, path: string): keyof typeof commandOf | undefined {
  const isOfAuthors = perAuthor.test(text) || whoCommits.test(text);
  if (isOfAuthors && !isMore.test(text)) return 'authors';
  if (perAuthor.test(text) || /\bmost (?!recent)|\b(?:per|each|every)\b/.test(text))
    return undefined;
  if (/\b(?:how many|number of|count)\b/.test(text)) {
    const isLimited = /\b(?:and|or|last|latest|newest|recent|recently)\b/.test(text);
    const isCount =
      /\b(?:how many|(?:number|count) of|count(?: all)?) commits\b|\bcommit count\b/.test(text);
    return isCount && !isLimited ? 'count' : undefined;
  }
  const isOfFiles = /\bfiles\b/.test(text) || (path === '' && isOfChange.test(text));
  return isOfFiles ? 'files' : 'list';
}

const isOfChange = /\bfile\b|\b(?:chang|touch|modif|edit|affect|updat)\w*\b/;

/** The selected commits: options with a space behind each, and the path behind `--`. */
interface Commits {
  readonly text: string;
  readonly name: string;
  readonly path: string;
  readonly options: string;
  readonly n: string | undefined;
}

const commandOf = {
  authors: ({ name, options, path }: Commits) =>
    name === '' ? `git shortlog -s -n ${options}HEAD${path}` : undefined,
  count: ({ options, path }: Commits) => `git rev-list --count ${options}HEAD${path}`,
  files: ({ text, options, path, n }: Commits) =>
    isOneCommit(text) && n === undefined && options + path === ''
      ? `git show -m --first-parent --name-status ${commitFormat} HEAD`
      : undefined,
  list: ({ text, name, path, options, n }: Commits) => {
    const isChosen = options + path !== '';
    const isClear = isLastOf.test(text) && !isYesNo.test(text) && !(name && path);
    if (isLast.test(text) && isChosen && !isClear) return undefined;
    const most = isChosen || /\ball\b/.test(text) ? '' : '20';
    // Of the last 20 commits, these would not be all.
    if (!isLast.test(text) && /\b(?:authors|people|committers)\b/.test(text)) return undefined;
    const limit = n ?? (isOneCommit(text) ? '1' : most);
    return `git log ${limit && `-n ${limit} `}${options}${commitFormat}${path}`;
  },
};

/** A character beside a name. */
const END = '[^[:alnum:]]';

/** The command for a question about commits: who made them, when, how many, which files. Undefined if a word has no meaning here. */
export function historyCommand({ task, tokens }: Instruction): string | undefined {
  const said = ({ norm }: Token) => String(numberWords.get(norm) ?? norm);
  const text = tokens.map(said).join(' ');
  const author = authorIn(tokens);
  const files = tokens.filter(({ kind }) => kind === 'file');
  const time = timeIn(text, tokens);
  const count = new RegExp(`\\b(?:(?:${last}) (\\d{1,3})|(\\d{1,3}) (?:${last})) commits?\\b`);
  const n = count.exec(text)?.slice(1).find(Boolean);
  const known = new Set([...author, ...files, ...time.tokens]);
  const isKnown = tokens.every(
    (token) => known.has(token) || plain.has(token.norm) || said(token) === n,
  );
  if (!isOfCommits.test(text) || isOther.test(task) || !isKnown || files.length > 1)
    return undefined;
  const name = author.map((one) => one.text.replace(/['’]s$/, '')).join(' ');
  // Whole words of the name: `Ann` is not `Anna`. Several authors are alternatives.
  const by = name === '' ? [] : [`"--author=^${name}${END}" "--author=${END}${name}${END}" -i`];
  const selected = [...by, ...time.options];
  const options = selected.map((one) => `${one} `).join('');
  const path = files.map((one) => ` -- "${one.text}"`).join('');
  const asked = askedIn(text, path);
  return asked && commandOf[asked]({ text, name, path, options, n });
}

const isOfCommits = /\bcommit(?:s|ted|ting)?\b|\bgit (?:log|history)\b/;
const isYesNo = /^(?:is|are|was|were|do|does|did|has|have|had)\b/;

/** Requests to commit something, and questions about what is not committed, about one's own commits or a shown commit. */
const isOther =
  /^(?:please )?(?:git )?commit (?:everything|all|it|them|this|that|(?:the )?changes|what|with|as|(?:the )?files?|\S+\.\w)\b|^(?:make|create|add) (?:a )?commit|^(?:is|are) (?:everything|all)|\b(?:i|my|by me|of me|from me|this commit|by (?:today|yesterday))\b|\bour\b(?! (?:repo|project|folder|workspace))|\bhow (?!many\b)/i;

/** The name of an author: `by Ann Lee`, `did Ann commit`, `Ann's commits`. */
function authorIn(tokens: readonly Token[]): readonly Token[] {
  const isName = ({ kind, text }: Token) =>
    kind === 'word' && /^\p{Lu}\D*$/u.test(text) && !isTime.test(text);
  const from = tokens.findIndex(
    (token, at) =>
      isName(token) &&
      (/['’]s$/.test(token.text) ||
        /^(?:by|from|did|has|have|of)$/.test(tokens[at - 1]?.norm ?? '')) &&
      !plain.has(token.norm),
  );
  const rest = from < 0 ? [] : tokens.slice(from);
  // `Ann, Bo` are two.
  const isNext = ({ start }: Token, at: number) =>
    at === 0 || start === (rest[at - 1]?.end ?? 0) + 1;
  const end = rest.findIndex((token, at) => !isName(token) || !isNext(token, at));
  return rest.slice(0, end < 0 ? undefined : end);
}

const isTime = new RegExp(`^(?:${monthPattern}|\\w+day)(?:['’]s)?$`, 'i');

/** The options for the commits of a month such as `2026-10`. */
function monthOptions(month: string): readonly string[] {
  const [year = 0, at = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, at, 0)).getUTCDate();
  return [`"--since=${month}-01 00:00"`, `"--until=${month}-${last} 23:59:59"`];
}

/** The time of commits, and the words for it. `since last commit` is about changes that are not committed. */
function timeIn(text: string, tokens: readonly Token[]) {
  const day = tokens.find(
    ({ kind, norm }) => kind === 'date' || /^(?:today|yesterday)$/.test(norm),
  );
  const since = tokens.filter(({ norm }) => norm === 'since');
  const isSince = / since (?:today|yesterday|\d)/.test(text);
  const [, month] = / in (\d{4}-\d\d)(?= |$)/.exec(text) ?? [];
  if (day && month !== undefined && day.norm === month && since.length === 0)
    return { tokens: [day], options: monthOptions(month) };
  if (!day || (since.length > 0 && !isSince) || (day.kind === 'date' && !isSince))
    return { tokens: [], options: [] };
  const from =
    day.norm === 'today'
      ? 'midnight'
      : day.norm === 'yesterday'
        ? 'yesterday.midnight'
        : `${day.norm.padEnd(10, '-01')} 00:00`;
  const until = day.norm === 'yesterday' && !isSince ? ['"--until=midnight"'] : [];
  return { tokens: [day, ...since], options: [`"--since=${from}"`, ...until] };
}
