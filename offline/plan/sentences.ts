import { ahead, startsAction } from './actions.ts';
import { gistOf, type Piece, sizeOf } from './pieces.ts';

/** Sentences, list items and lines that start an action, without the markers of lists. */
export function sentencesOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const markers = markersOf(pieces);
  const sentences: Piece[][] = [];
  let item = noItem;
  let markerEnd = 0;
  for (const [at, piece] of pieces.entries()) {
    if (at < markerEnd) continue;
    if (isBlank(piece)) item = noItem;
    const size = markers.get(at) ?? 0;
    const isNested = isUnder(item, piece) && (item.isOpen || pieces[at - 1]?.gist === ':');
    if (size > 0 && !isNested) {
      item = { indent: indentOf(piece), isOpen: false };
      markerEnd = at + size;
      sentences.push([]);
      continue;
    }
    if (size > 0) item = { ...item, isOpen: true };
    if (startsSentence(pieces, at)) sentences.push([]);
    sentences.at(-1)?.push(piece);
  }
  return sentences.filter((sentence) => sentence.length > 0);
}

/** An open list item. Once a bullet below it belongs to it, as behind a colon, the following ones do too. */
interface Item {
  readonly indent: number;
  readonly isOpen: boolean;
}

const noItem: Item = { indent: Number.POSITIVE_INFINITY, isOpen: false };

const isLine = ({ gap }: Piece) => gap.includes('\n');
const isBlank = ({ gap }: Piece) => /\n\s*\n/.test(gap);
const indentOf = ({ gap }: Piece) => gap.length - gap.lastIndexOf('\n');
const isUnder = ({ indent }: Item, piece: Piece) => isLine(piece) && indentOf(piece) > indent;

const marker = /^(?:step (\d{1,3}) [:.)]|(?:\( )?(?:(\d{1,3}) [.)]|[a-z] \))|[-*•+]) /;

/** Where a line starts with a marker, or has items that are numbered inside it (`1) … 2) …`): the size of each marker. */
function markersOf(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  let inLine: number[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (isLine(piece)) inLine = [];
    const found = marker.exec(gistOf(pieces, at, at + 5));
    if (found === null) continue;
    const size = sizeOf(found[0]);
    if (pieces[at + size]?.gap === '') continue;
    if (isLine(piece)) sizes.set(at, size);
    if (piece.gap === '' && !/[:,;]/.test(pieces[at - 1]?.gist ?? '')) continue;
    if (Number(found[1] ?? found[2]) !== inLine.length + 1) continue;
    inLine.push(at);
    if (inLine.length === 2) sizes.set(inLine[0] ?? at, sizes.get(inLine[0] ?? at) ?? size);
    if (inLine.length > 1) sizes.set(at, size);
  }
  return sizes;
}

const abbreviated = /^(?:e\.g|i\.e|etc|vs|approx|no|incl|resp|min|max|cf)$/;

function startsSentence(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  const before = pieces[at - 1]?.gist;
  if (piece === undefined || before === undefined) return true;
  if (piece.gap === '') return false;
  if (/(?:^| )[.!?](?: ["')\]])*$/.test(gistOf(pieces, Math.max(0, at - 3), at)))
    return before !== '.' || !abbreviated.test(pieces[at - 2]?.gist ?? '');
  if (!isLine(piece) || piece.gist === 'π') return false;
  if (isBlank(piece) || before === ';') return true;
  return !/^[:,]$/.test(before) && startsAction(ahead(pieces, at), 'then');
}
