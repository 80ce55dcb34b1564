import { dirname } from 'node:path';
import { type Token, tokenize } from '../language/lexer.ts';
import { rootOf } from '../language/verbs.ts';
import { singular } from '../language/words.ts';
import { hasCell } from './read/rows/rows.ts';
import { type Column, nounsOf, type Table } from './table/schema.ts';

/** The tokens of a question about data. */
export const questionTokens = (task: string): readonly Token[] =>
  withRequestPaths(tokenize(task)).flatMap(withoutPossessive);

/** Reads `/login` as a path of requests, `/robots.txt` too if another file is named, and `x.org` after `ends with` as text. */
function withRequestPaths(tokens: readonly Token[]): readonly Token[] {
  const others = tokens.filter(({ kind }) => kind === 'file').length;
  const isText = (at: number) => {
    const [verb, lead] = [tokens[at - 2]?.norm ?? '', tokens[at - 1]?.norm ?? ''];
    const isLead = lead === 'with' || (lead === 'in' && others > 1);
    return isLead && /^(?:ends?|ending|starts?|begins?)$/.test(verb);
  };
  const isAmongOthers = tokens.some(({ kind, text }) => kind === 'file' && !text.startsWith('/'));
  return tokens.map((token, at) => {
    if (token.kind === 'file' && isText(at)) return { ...token, kind: 'quote' };
    const isPath = token.kind === 'file' && token.text.startsWith('/');
    const isPlain = /^\/[\w/-]*$/.test(token.text);
    return isPath && (isPlain || isAmongOthers) ? { ...token, kind: 'quote' } : token;
  });
}

/** Reads words for a file as its name: `the oven log`, with oven.log. */
export function withFile(tokens: readonly Token[], path: string): readonly Token[] {
  const nouns = nounsOf(path);
  const start = tokens.findIndex(
    (_token, at) =>
      (tokens[at + nouns.length]?.norm === 'log' ||
        (/^(?:the|our|my)$/.test(tokens[at - 1]?.norm ?? '') &&
          /^(?:file|table|list|sheet|database)$/.test(tokens[at + nouns.length]?.norm ?? ''))) &&
      nouns.every((noun, index) => tokens[at + index]?.stem === noun),
  );
  const [first, last] = [tokens[start], tokens[start + nouns.length]];
  if (!first || !last || nouns.length === 0) return tokens;
  const file = {
    ...first,
    kind: 'file',
    text: path,
    norm: path,
    stem: path,
    end: last.end,
  } as const;
  return tokens.toSpliced(start, nouns.length + 1, file);
}

/** Names of columns that say where each row belongs. */
const places =
  /^(?:place|room|location|site|hall|venue|building|branch|area|zone|floor|house|store|shop|city|town|where)$/;

/** What a folder of files may be about as a whole. */
const organisations =
  /^(?:club|coop|cooperative|library|school|choir|company|firm|business|museum|hotel|society|association|organi[sz]ation|charity|clinic)$/;

/** Whether a word names what all rows belong to, or the file or its folder: `in the choir`, with choir.db. An error in engine.log may not be of the engine. */
function isWhole(tokens: readonly Token[], at: number, table: Table): boolean {
  const { kind, norm = '', stem = '' } = tokens[at] ?? {};
  if (kind !== 'word' || norm !== stem || table.format === 'log') return false;
  const [lead = '', the = '', next = ''] = [-2, -1, 1].map((one) => tokens[at + one]?.norm);
  if (!/^(?:the|our|my|this)$/.test(the)) return false;
  const name = stem.replace('-', '');
  // `the hotel cost` is what somebody else was paid.
  const isOurs =
    organisations.test(name) &&
    /^(?:(?:did|does|has|had|joined) |(?:of|for|in) our$)/.test(`${lead} ${the}`) &&
    !/^(?:been|cost|charged?|get|bill|take)$/.test(next);
  const isNamed = [table.path, dirname(table.path)].some((one) => nounsOf(one).includes(name));
  const isOther = (one: string) => one === name || (!isOurs && places.test(one));
  if (table.nouns.has(name) || table.columns.some(({ words }) => words.some(isOther))) return false;
  return (isOurs || isNamed) && !hasCell(table, stem);
}

/** Leaves out the words for what all rows belong to: `in the choir`. Behind a verb such as `did`, it is `we`. */
export function withoutWhole(tokens: readonly Token[], table: Table): readonly Token[] {
  const at = tokens.findIndex((_token, index) => isWhole(tokens, index, table));
  const [whole, lead] = [tokens[at], tokens[at - 2]];
  if (!whole) return tokens;
  const isSubject = /^(?:did|do|does|has|have|had)$/.test(lead?.norm ?? '');
  const isPart = /^(?:in|at|of|for|from|to|by)$/.test(lead?.norm ?? '');
  const we = { ...whole, text: 'we', norm: 'we', stem: 'we' };
  return tokens.toSpliced(at - (isPart ? 2 : 1), isPart ? 3 : 2, ...(isSubject ? [we] : []));
}

/** Joins a verb and its particle if a column has the name of both: `signed up`, with `signup_date`. */
export function withParticles(
  tokens: readonly Token[],
  columns: readonly Column[],
): readonly Token[] {
  return tokens.flatMap((token, at) => {
    const joined = (verb?: Token, particle?: Token) =>
      verb?.kind === 'word' && particle ? `${rootOf(verb.norm)}${particle.norm}` : '';
    const isOne = (name: string) =>
      particles.test(name) && columns.some(({ words: [first] }) => first === name);
    const next = tokens[at + 1];
    const name = joined(token, next);
    if (next && isOne(name)) {
      const norm = `${name}ed`;
      return { ...token, norm, stem: norm, text: `${token.text} ${next.text}`, end: next.end };
    }
    return isOne(joined(tokens[at - 1], token)) ? [] : token;
  });
}

const particles = /(?:up|in|out|off|on)$/;

/** Splits `Ann's` into `Ann` and `'s`. `what's` stays one word. */
function withoutPossessive(token: Token): readonly Token[] {
  const { kind, text, norm } = token;
  if (
    kind !== 'word' ||
    !/['’]s$/.test(text) ||
    /^(?:what|who|that|where|there|it|let|here|how)'s$/.test(norm)
  )
    return [token];
  const cut = (from: number, end?: number): Token => {
    const part = text.slice(from, end);
    return { ...token, text: part, norm: norm.slice(from, end), stem: singular(part) };
  };
  return [
    { ...cut(0, -2), end: token.end - 2 },
    { ...cut(-1), start: token.end - 1 },
  ];
}
