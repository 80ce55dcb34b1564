import { type Token, tokenize } from '../language/lexer.ts';
import { type Captures, matches } from './match-pattern.ts';
import { parsePattern } from './pattern.ts';
import { articles } from './plain-words.ts';

/** An instruction as patterns are matched with it. */
export interface Instruction {
  /** As written. */
  readonly task: string;
  /** Without articles, courtesy, punctuation and bans. */
  readonly tokens: readonly Token[];
  readonly bans: readonly Ban[];
}

/** A ban in a task: `do not change a.txt`, `without overwriting anything`. */
export interface Ban {
  /** `overwrite`: existing files are not replaced; `change`: the files are not touched at all. */
  readonly kind: 'change' | 'overwrite';
  /** `named`: the named files; `others`: files that the task does not mention; `all`: every existing file. */
  readonly reach: 'named' | 'others' | 'all';
  readonly files: readonly string[];
}

const framing = parsePattern(
  `((could|can|would|will) you|i (want|need|would like) you to|i'd like you to|i (want|need|would like) to|i'd like to|help me|hi|hello|hey|let's|[and] then|next|finally|first|also|and)`,
);

const closing = parsePattern('(for me|thanks|thank you)');

const verbs =
  'verb:(change|changing|modify|modifying|edit|editing|alter|altering|touch|touching|delete|deleting|remove|removing|overwrite|overwriting|replace|replacing)';

const anyFile =
  '(file itself|originals?|original files?|inputs?|input files?|sources?|source files?|it|anything|any files?|existing files?|any existing files?|existing|files?)';

const ban = parsePattern(
  `[but|and] (do not|don't|never|must not|without|not|be careful not to) [ever] ${verbs} [any of|contents of] ({files:file+}|other:(anything else|any other files?|other files?)|${anyFile} [(or|and) {files:file+}])`,
);

/** `one-sentence`, `5-bullet`: two words. */
const measure = /\b(\w+)-(?=(?:sentence|word|line|bullet|point)\b)/gi;

const contraction = /\b(what|who|where|which|how|there|when)['’]s\b/gi;

/** Reads a step's text. */
export function readInstruction(text: string): Instruction {
  const task = text.replace(contraction, '$1 is');
  const words = tokenize(task.replace(measure, '$1 ')).filter(
    ({ kind, norm }) => !(kind === 'word' && articles.has(norm)) && !isPunctuation(kind, norm),
  );
  const { tokens, bans } = takeBans(unframed(words), task);
  return { task, tokens, bans };
}

const isPunctuation = (kind: Token['kind'], norm: string) =>
  kind === 'mark' && /^[,;:.!?()]$/.test(norm);

function unframed(tokens: readonly Token[]): readonly Token[] {
  const from = longest(tokens, framing, 0);
  if (from > 0 && from < tokens.length) return unframed(tokens.slice(from));
  for (const count of [1, 2]) {
    const at = tokens.length - count;
    if (at > 0 && longest(tokens, closing, at) === tokens.length) return tokens.slice(0, at);
  }
  return tokens;
}

/** The index after the longest match at an index; the same index if nothing matches. */
function longest(
  tokens: readonly Token[],
  nodes: ReturnType<typeof parsePattern>,
  at: number,
): number {
  let end = at;
  for (const found of matches(tokens, nodes, { at, captures: {} })) end = Math.max(end, found.at);
  return end;
}

/** Removes the bans from a task. */
function takeBans(
  all: readonly Token[],
  task: string,
): { tokens: readonly Token[]; bans: readonly Ban[] } {
  const bans: Ban[] = [];
  const tokens: Token[] = [];
  for (let at = 0; at < all.length; ) {
    const found = banAt(all, at, task);
    const token = all[at];
    if (found !== undefined) bans.push(found.ban);
    else if (token !== undefined) tokens.push(token);
    at = found?.end ?? at + 1;
  }
  return { tokens, bans };
}

/** A ban that starts here and ends its sentence or clause. */
function banAt(
  tokens: readonly Token[],
  start: number,
  task: string,
): { readonly ban: Ban; readonly end: number } | undefined {
  for (const { at: end, captures } of matches(tokens, ban, { at: start, captures: {} })) {
    const endsPart = /^\s*(?:[.,;!]|$)/.test(task.slice(tokens[end - 1]?.end ?? 0));
    if (endsPart) return { ban: banOf(captures), end };
  }
  return undefined;
}

function banOf(captures: Captures): Ban {
  const named = (captures['files'] ?? []).filter(({ kind }) => kind === 'file');
  const isOverwrite = /^(?:overwrit|replac)/.test(captures['verb']?.[0]?.norm ?? '');
  const reach = named.length > 0 ? 'named' : captures['other'] ? 'others' : 'all';
  const kind = isOverwrite ? 'overwrite' : 'change';
  return { kind, files: named.map(({ text }) => text), reach };
}
