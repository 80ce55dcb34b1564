import { ahead, furtherQuestion, isConnector, startsAction } from './actions.ts';
import { gistOf, type Piece, sizeOf, wordsOf } from './pieces.ts';
import { inOrder, resultWords } from './vocabulary.ts';

/** Pieces that ask for one thing or describe their neighbours. */
export interface Part {
  readonly pieces: readonly Piece[];
  /** Parts of one sentence share it. */
  readonly sentence: number;
  /** Whether the words or the number in front of it put it after the part before. */
  readonly isNext: boolean;
}

/** Splits a task at sentences, list items, lines and actions. List markers and connectors are dropped. */
export function partsOf(pieces: readonly Piece[]): readonly Part[] {
  const markers = markersOf(pieces);
  const parts: Part[] = [];
  let open: Piece[] = [];
  let sentence = 0;
  let isNext = false;
  for (let at = 0; at < pieces.length; at += 1) {
    const size = markers.get(at) ?? 0;
    const isNew = size > 0 || startsSentence(pieces, at);
    const cut = isNew ? { size, verb: [] } : jointAt(pieces, at, open);
    if (cut !== undefined) {
      parts.push({ pieces: open, sentence, isNext });
      isNext = isInOrder(gistOf(pieces, at, at + cut.size), isNew);
      open = [...cut.verb];
      at += cut.size;
      sentence += Number(isNew);
    }
    open.push(...pieces.slice(at, at + 1));
  }
  return [...parts, { pieces: open, sentence, isNext }].filter((part) => part.pieces.length > 0);
}

/** Whether a joint (`, then`) or a list marker (`2.`, but no bullet) tells the order of its parts. */
const isInOrder = (words: string, isMarker: boolean) =>
  isMarker ? /[a-z\d]/.test(words) : inOrder.test(words);

const isLine = ({ gap }: Piece) => gap.includes('\n');
const isBlank = ({ gap }: Piece) => /\n\s*\n/.test(gap);
const indentOf = ({ gap }: Piece) => gap.length - gap.lastIndexOf('\n');

const marker = /^(?:step (\d{1,3}) [:.)]|(?:\( )?(?:(\d{1,3}) [.)]|[a-z] \))|[-*•+]) /;

/** The sizes of list markers: at the start of a line, or numbers inside it (`1) … 2) …`). */
function markersOf(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  const starts = [...pieces.keys()].filter((at) => pieces[at]?.gap.includes('\n'));
  let [indent, isInside] = [Number.POSITIVE_INFINITY, false];
  for (const [line, at] of starts.entries()) {
    const piece = pieces[at] as Piece;
    if (isBlank(piece)) indent = Number.POSITIVE_INFINITY;
    for (const inside of numbersIn(pieces, at, starts[line + 1]))
      sizes.set(inside, markerAt(pieces, inside).size);
    const { size } = markerAt(pieces, at);
    if (size === 0) continue;
    // Bullets below an item that ends with a colon belong to that item.
    isInside = indentOf(piece) > indent && (isInside || pieces[at - 1]?.gist === ':');
    if (isInside) continue;
    indent = indentOf(piece);
    sizes.set(at, size);
  }
  return sizes;
}

function numbersIn(pieces: readonly Piece[], from: number, to = pieces.length): readonly number[] {
  const found: number[] = [];
  for (let at = from; at < to; at += 1)
    if (markerAt(pieces, at).number === found.length + 1) found.push(at);
  return found.length > 1 ? found : [];
}

function markerAt(pieces: readonly Piece[], at: number): { size: number; number?: number } {
  const found = marker.exec(gistOf(pieces, at, at + 5));
  const size = sizeOf(found?.[0] ?? '');
  const isApart = pieces[at]?.gap !== '' || /[:,;]/.test(pieces[at - 1]?.gist ?? '');
  if (found === null || !isApart || pieces[at + size]?.gap === '') return { size: 0 };
  return { size, number: Number(found[1] ?? found[2]) };
}

const endOfSentence = /(?:^| )[.!?](?: ["')\]])*$/;
const abbreviated = /^(?:e\.g|i\.e|etc|vs|approx|no|incl|resp|min|max|cf|dr|mr|mrs|ms|prof|st)$/;

/** Whether a full stop ends an abbreviation: `approx. 5`, `Ursula K. Le Guin`. */
function isAbbreviated(pieces: readonly Piece[], at: number): boolean {
  const [name, word] = [pieces[at - 3], pieces[at - 2]];
  const isInitial = /^\p{Lu}$/u.test(word?.text ?? '') && /^\p{Lu}/u.test(name?.text ?? '');
  return (
    abbreviated.test(word?.gist ?? '') || (isInitial && !startsAction(ahead(pieces, at), 'then'))
  );
}

function startsSentence(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  const before = pieces[at - 1]?.gist;
  if (piece === undefined || before === undefined) return true;
  if (piece.gap === '') return false;
  const isEnd = /^[.!?"')\]]$/.test(before) && endOfSentence.test(gistOf(pieces, at - 3, at));
  // A parenthesis belongs to the sentence before it: `per team? (done or open)`.
  if (isEnd) return piece.gist !== '(' && !(before === '.' && isAbbreviated(pieces, at));
  if (!isLine(piece) || piece.gist === 'π') return false;
  if (isBlank(piece) || before === ';') return true;
  return !/^[:,]$/.test(before) && startsAction(ahead(pieces, at), 'then');
}

const jointWords =
  /^(?:[,;:] )?(?:(?:and|but) )?(?:then|after that|afterwards|finally|lastly) (?:, )?|^[,;] (?:(?:and|but) )?|^and /;

const leadIn = /^(?:in|from|using|with|for|on|within) (?:the )?(?:[a-z_][^ ]* ){0,3}φ(?: ,)?$/;

/** The connector before an action, with the verb that is implied again (`save A as a.md and B as b.csv`). `In a.log find …` has an empty one. */
function jointAt(pieces: readonly Piece[], at: number, open: readonly Piece[]) {
  const joint = wordsAt(pieces, at);
  const isLead = joint === '' && open.length > 1 && open.length < 9 && leadIn.test(gistOf(open));
  if (open.length === 0 || (joint === '' && !isLead)) return undefined;
  const size = sizeOf(joint);
  const rest = ahead(pieces, at + size);
  if (goesOn(rest, joint, open)) return undefined;
  const isAction = startsAction(rest, isLead ? 'then' : joint);
  const isSame = !isAction && isAnother(rest) && saves.test(gistOf(open));
  if (!(isAction || isSame) || isConnector(gistOf(open))) return undefined;
  return { size, verb: isSame ? open.filter(({ gist }) => saving.test(gist)).slice(0, 1) : [] };
}

/** Whether a question continues the previous one: `when, which crop and how many kg`, not `how many lines, how many words`. */
const goesOn = (rest: string, joint: string, open: readonly Piece[]): boolean =>
  (furtherQuestion.test(rest) &&
    (/and $/.test(joint) ||
      (/^[,:] $/.test(joint) && !(open[0]?.gist === 'how' && rest.startsWith('how '))))) ||
  (/and $/.test(joint) && ofEachTable.test(rest) && /\btables?\b/.test(gistOf(open))) ||
  (open.length < MAX_BEFORE &&
    ((perGroup.test(rest) && counting.test(gistOf(open))) ||
      (joint === ', ' && leavingOut.test(gistOf(open)))));

/** `which tables are there, and how many rows does each have` */
const ofEachTable =
  /^(?:how many|the number of) (?:rows|records|entries) (?:(?:does|do|has|have|are|is|of|in) )*(?:each|every|they|all|them)\b/;

/** Maximum number of pieces before a joint that does not split the sentence. */
const MAX_BEFORE = 16;

/** `how many calls and how many minutes per show`: the group belongs to both numbers. */
const perGroup = /^how (?:many|much) (?!.* and how )[^φ]*\b(?:per|for each|for every|of each|by)\b/;
const counting =
  /^how (?:many|much) (?:(?!(?:is|are|was|were|do|does|did|have|has|had|there|per|each|every|by|with|in|from)\b)[a-z_]+ ?){1,2}$/;

/** `Leaving aside refunds, which …` */
const leavingOut =
  /^(?:leaving (?:aside|out)|apart from|aside from|except for|ignoring|disregarding|not counting|without counting|excluding) (?!.*,)/;

/** The words of a connector, with a trailing space. */
function wordsAt(pieces: readonly Piece[], at: number): string {
  if (!/^(?:[,;:]|and|but|then|after|afterwards|finally|lastly)$/.test(pieces[at]?.gist ?? ''))
    return '';
  const joint = jointWords.exec(gistOf(pieces, at, at + 6))?.[0] ?? '';
  return pieces[at + sizeOf(joint)]?.gap === '' && joint !== '; ' ? '' : joint;
}

const saving = /^(?:save|write|store|export|put)$/;
const saves = /^(?:[a-z]+ ){0,2}(?:save|write|store|export|put) .* (?:as|to|in|into) φ$/;

function isAnother(rest: string): boolean {
  const object = /^([^,;:.!?]*?) (?:as|to|in|into) φ/.exec(rest)?.[1];
  return object !== undefined && wordsOf(object).every((word) => resultWords.has(word));
}
