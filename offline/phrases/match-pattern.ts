import { isFileKind } from '../language/file-kinds.ts';
import type { Token } from '../language/lexer.ts';
import { numberWords } from '../language/lexicon.ts';
import type { Node, SlotKind } from './pattern.ts';

/** Tokens by the name that they have in a pattern. */
export type Captures = Readonly<Record<string, readonly Token[]>>;

interface State {
  readonly at: number;
  readonly captures: Captures;
}

/** All matches of a pattern with the tokens from here on, longer options first. */
export function* matches(
  tokens: readonly Token[],
  nodes: readonly Node[],
  state: State,
): Generator<State> {
  const [node, ...rest] = nodes;
  if (node === undefined) yield state;
  else for (const next of matchNode(tokens, node, state)) yield* matches(tokens, rest, next);
}

function matchNode(tokens: readonly Token[], node: Node, state: State): Iterable<State> {
  const { at, captures } = state;
  switch (node.is) {
    case 'word':
      return isWord(tokens[at], node.forms) ? [{ at: at + 1, captures }] : [];
    case 'slot':
      return ends(tokens, node, at).map((end) => keep(tokens, state, { name: node.name, end }));
    case 'choice':
      return matchChoice(tokens, node, state);
  }
}

function* matchChoice(
  tokens: readonly Token[],
  { name, options }: Extract<Node, { is: 'choice' }>,
  state: State,
): Generator<State> {
  for (const option of options) {
    for (const next of matches(tokens, option, state)) {
      const isNamed = name !== undefined && next.at > state.at;
      yield isNamed ? keep(tokens, { ...next, at: state.at }, { name, end: next.at }) : next;
    }
  }
}

const keep = (
  tokens: readonly Token[],
  { at, captures }: State,
  { name, end }: { readonly name: string; readonly end: number },
): State => ({ at: end, captures: { ...captures, [name]: tokens.slice(at, end) } });

const isWord = (token: Token | undefined, forms: readonly string[]): boolean =>
  token !== undefined &&
  ['word', 'op', 'mark', 'number'].includes(token.kind) &&
  forms.includes(token.norm);

/** The positions at which a slot may end. */
function ends(
  tokens: readonly Token[],
  { kinds, isList }: { readonly kinds: readonly SlotKind[]; readonly isList: boolean },
  at: number,
): readonly number[] {
  if (kinds.includes('words')) return wordRuns(tokens, at);
  const first = endOf(tokens, kinds, at);
  if (first === undefined) return [];
  const found = [first];
  for (let end = first; isList; ) {
    const next = endOf(tokens, kinds, tokens[end]?.norm === 'and' ? end + 1 : end);
    if (next === undefined) break;
    found.unshift(next);
    end = next;
  }
  return found;
}

/** The index after a token of these kinds; undefined if there is none. */
function endOf(
  tokens: readonly Token[],
  kinds: readonly SlotKind[],
  at: number,
): number | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  for (const kind of kinds) {
    if (kind === 'word') {
      const end = bareEnd(tokens, at);
      if (end !== undefined) return end;
    } else if (isOf(token, kind)) return at + 1;
  }
  return undefined;
}

function isOf(token: Token, kind: SlotKind): boolean {
  const { norm } = token;
  if (kind === 'n') return numberOf(token) !== undefined;
  if (kind === 'ending') return isFileKind(norm) || isFileKind(token.stem);
  if (kind === 'name') return token.kind === 'word' && !noName.has(norm);
  return token.kind === kind;
}

/** The number of a token, in digits or in words. */
export const numberOf = (token: Token): number | undefined =>
  token.kind === 'number'
    ? token.value
    : token.kind === 'word'
      ? numberWords.get(token.norm)
      : undefined;

/** Words that are not the name of a folder. */
const noName = new Set(
  'it them this that these those here there all each every output outputs result results page text response lines line file files folder directory workspace project tree repository repo current total whole entire for in by with'.split(
    ' ',
  ),
);

const bareKinds: ReadonlySet<string> = new Set(['word', 'number', 'op', 'date', 'mark']);

/** The end of characters without a space between them, such as `E42:x`. */
function bareEnd(tokens: readonly Token[], at: number): number | undefined {
  const token = tokens[at];
  if (token === undefined || !['word', 'number', 'date', 'op'].includes(token.kind))
    return undefined;
  let end = at + 1;
  while (bareKinds.has(tokens[end]?.kind ?? '') && tokens[end]?.start === tokens[end - 1]?.end)
    end += 1;
  return end;
}

/** Runs of plain words and names of columns, the shorter first. */
function wordRuns(tokens: readonly Token[], at: number): readonly number[] {
  const found: number[] = [];
  for (let end = at; bareKinds.has(tokens[end]?.kind ?? ''); end += 1) found.push(end + 1);
  return found;
}
