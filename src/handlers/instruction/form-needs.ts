/** The letter of each kind of atom in a line. */
type Kinds = Readonly<Record<string, string>>;

/** What a line has to hold, in lower case, for a form to fit it: one of these texts, at its start where the need says so. */
interface Need {
  readonly oneOf: readonly string[];
  readonly isStart: boolean;
}

const literal = /[a-z ]+(?![?*{])/y;
const atom = /<\w+:([\w|]+)\+?>/y;
const lookaround = /\(\?<?[=!]/y;

const readAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Where a bracket that opens at `at` is closed: the index behind it. */
function closedAt(spelling: string, at: number): number {
  let depth = 0;
  for (let end = at; end < spelling.length; end += 1) {
    const here = spelling[end];
    if (here === '\\') end += 1;
    else if (here === '[') end = classEnd(spelling, end) - 1;
    else if (here === '(') depth += 1;
    else if (here === ')') depth -= 1;
    if (depth === 0) return end + 1;
  }
  return spelling.length;
}

function classEnd(spelling: string, at: number): number {
  let end = at + 1;
  while (end < spelling.length && spelling[end] !== ']') end += spelling[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** The literal start of each alternative of a group; undefined where one has none. */
function startsOf(spelling: string, from: number, end: number): readonly string[] | undefined {
  const name = /\(\?(?::|<\w+>)/y;
  let at = from + (readAt(name, spelling, from)?.[0].length ?? 1);
  const starts: string[] = [];
  for (;;) {
    const start = readAt(literal, spelling, at)?.[0];
    if (start === undefined) return undefined;
    starts.push(start);
    while (at < end - 1 && spelling[at] !== '|') at = pieceEnd(spelling, at);
    if (at >= end - 1) return starts;
    at += 1;
  }
}

function pieceEnd(spelling: string, at: number): number {
  const here = spelling[at];
  if (here === '(') return closedAt(spelling, at);
  if (here === '[') return classEnd(spelling, at);
  return here === '\\' ? at + 2 : at + 1;
}

/**
 * What any line that fits a form's spelling holds, read off the spelling one by one. A spelling has no alternatives
 * outside of brackets.
 */
function* needsOf(spelling: string, kinds: Kinds): Generator<Need> {
  for (let at = 0; at < spelling.length; ) {
    const { oneOf, end } = pieceAt(spelling, at, kinds);
    const isOptional = '?*{'.includes(spelling[end] ?? ' ');
    if (oneOf !== undefined && !isOptional) yield { oneOf, isStart: at === 0 };
    at = end;
  }
}

/** The piece of a spelling that starts at `at`: what a line may hold for it, undefined for anything, and where it ends. */
function pieceAt(
  spelling: string,
  at: number,
  kinds: Kinds,
): { oneOf?: readonly string[] | undefined; end: number } {
  const marker = readAt(atom, spelling, at);
  if (marker !== null) return { oneOf: atomsOf(marker, kinds), end: at + marker[0].length };
  const text = readAt(literal, spelling, at)?.[0];
  if (text !== undefined) return { oneOf: [text], end: at + text.length };
  const end = pieceEnd(spelling, at);
  const isGroup = spelling[at] === '(' && readAt(lookaround, spelling, at) === null;
  return { oneOf: isGroup ? startsOf(spelling, at, end) : undefined, end };
}

const atomsOf = (marker: RegExpExecArray, kinds: Kinds) =>
  (marker[1] ?? '').split('|').map((kind) => (kind === 'n' ? '' : `«${kinds[kind] ?? ''}`));

/** False where a line in lower case can't fit a form: most forms are ruled out before their pattern is compiled. */
export function mayFit(line: string, spelling: string, kinds: Kinds): boolean {
  for (const { oneOf, isStart } of needsOf(spelling, kinds)) {
    const isThere = isStart
      ? oneOf.some((text) => line.startsWith(text))
      : oneOf.some((text) => line.includes(text));
    if (!isThere) return false;
  }
  return true;
}
