import type { Token } from '../language/lexer.ts';

/** Words of a question about commits that do not say which ones. */
const plain = new Set(
  'show list give print get see display tell me git log history commit commits committed committing what which who when how many number count is are was were be been do does did has have had there made make wrote created i we it its you and or to of in on by with about from for all any anyone anything so far here now this repo repository project folder workspace message messages author authors person people committer date dates hash name say says said files file changed change changes touched touch modified modify edited edit affected affect updated part went go got came into contain contains included one line each per every at recent recently latest last newest most'.split(
    ' ',
  ),
);

/** The format of one commit. */
export const commitFormat = '--date=short "--format=%h %ad %an: %s"';

/** What a question about commits asks for, and its command. The first one that matches. */
const intents: readonly (readonly [asked: RegExp, command: (of: Commits) => string | undefined])[] =
  [
    [
      /\b(?:per|by|each|every) (?:author|person|committer)\b|\bcommits each$|^who\b(?!.* (?:files?|last)\b).* most (?!recent)|^who (?:(?:has|have|had) )?(?:been )?commit(?:s|ted|ting)?\b(?!.* (?:last|most|files?)\b)/,
      ({ name, options }) => (name === '' ? `git shortlog -s -n ${options}HEAD` : undefined),
    ],
    [
      /\bmost (?!recent)|\b(?:per|every)\b|\beach\b(?<!line each)|\bhow many files\b/,
      () => undefined,
    ],
    [
      /\b(?:how many|number of|count)\b/,
      ({ isLast, n, options }) => (isLast || n ? undefined : `git rev-list --count ${options}HEAD`),
    ],
    [
      /^(?!.*\bcommits\b).*(?:\bfiles?\b|^what (?:was |has |got )?changed?\b)/,
      ({ isLast, n, options, path }) =>
        isLast && !n && options + path === ''
          ? `git show -m --first-parent --name-status ${commitFormat} HEAD`
          : undefined,
    ],
    [
      /./,
      ({ text, isLast, n, options }) => {
        const isOne = isLast && !/\bcommits\b/.test(text);
        const limit = n ?? (isOne ? 1 : options === '' && !/\ball\b/.test(text) ? 20 : undefined);
        return `git log ${limit ? `-n ${limit} ` : ''}${options}${commitFormat}`;
      },
    ],
  ];

interface Commits {
  readonly text: string;
  readonly name: string;
  readonly isLast: boolean;
  readonly n: number | undefined;
  /** Options for the author and the time, with a space behind them. */
  readonly options: string;
  readonly path: string;
}

/**
 * The command for a question about commits: who made them, when, how many, which files; of an author, a file or a time.
 * Undefined if a word has no meaning here.
 *
 * @param tokens Without articles and punctuation.
 */
export function historyCommand(tokens: readonly Token[]): string | undefined {
  const text = tokens.map(({ norm }) => norm).join(' ');
  const author = authorIn(tokens);
  const [files, numbers] = ['file', 'number'].map((of) => tokens.filter(({ kind }) => kind === of));
  const time = timeIn(text, tokens);
  const known = new Set([...author, ...(files ?? []), ...(numbers ?? []), ...time.tokens]);
  const isKnown = tokens.every((token) => known.has(token) || plain.has(token.norm));
  const isAsked = isOfCommits.test(text) && !isChange.test(text) && isKnown;
  if (!isAsked || [files, numbers].some((all = []) => all.length > 1)) return undefined;
  const name = author.map((one) => one.text.replace(/['’]s$/, '')).join(' ');
  const selected = [...(name === '' ? [] : [`"--author=${name}" -i`]), ...time.options];
  const commits: Commits = {
    ...{ text, name, isLast: /\b(?:last|latest|newest|recent|recently)\b/.test(text) },
    n: numbers?.[0]?.value,
    options: selected.map((one) => `${one} `).join(''),
    path: (files ?? []).map((one) => ` -- "${one.text}"`).join(''),
  };
  const command = intents.find(([asked]) => asked.test(text))?.[1](commits);
  return command && `${command}${commits.path}`;
}

const isOfCommits = /\bcommit(?:s|ted|ting)?\b|\bgit (?:log|history)\b/;

/** Requests to commit something, and questions about what is not committed. */
const isChange =
  /^(?:git )?commit (?:everything|all|it|them|this|that|changes|what|with|as|files?|\S+\.\w)\b|^(?:make|create|add) commit|\b(?:have|did) i commit|^(?:is|are) (?:everything|all)/;

/** The name of an author: `by Ann Lee`, `did Ann commit`, `Ann's commits`. */
function authorIn(tokens: readonly Token[]): readonly Token[] {
  const isName = ({ kind, text }: Token) => kind === 'word' && /^\p{Lu}/u.test(text);
  const from = tokens.findIndex(
    (token, at) =>
      isName(token) &&
      (/['’]s$/.test(token.text) ||
        /^(?:by|from|did|has|have|of)$/.test(tokens[at - 1]?.norm ?? '')) &&
      !plain.has(token.norm),
  );
  const rest = from < 0 ? [] : tokens.slice(from);
  const end = rest.findIndex((token) => !isName(token));
  return rest.slice(0, end < 0 ? undefined : end);
}

/** The time of commits, and the words for it. `since last commit` is about changes that are not committed. */
function timeIn(text: string, tokens: readonly Token[]) {
  const day = tokens.find(
    ({ kind, norm }) => kind === 'date' || /^(?:today|yesterday)$/.test(norm),
  );
  const since = tokens.filter(({ norm }) => norm === 'since');
  const isSince = / since (?:today|yesterday|\d)/.test(text);
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
