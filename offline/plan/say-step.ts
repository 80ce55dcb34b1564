import type { Clause } from './clauses.ts';
import { inIt, type LinkedStep } from './links.ts';
import { type Piece, sizeOf } from './pieces.ts';

/** The description of a step: its clauses as written, with the file that they leave out. */
export function sayStep(text: string, step: LinkedStep, bans: readonly Clause[]): string {
  const { clauses, main, carried } = step;
  const lead = leadOf(step);
  const isComplete = lead !== '' || carried.length === 0;
  const pieces = [...clauses, ...bans].flatMap((clause) =>
    clause === main && !isComplete ? withFile(step, carried.join(' and ')) : clause.pieces,
  );
  const said =
    lead +
    join(
      text,
      pieces.toSorted((a, b) => a.start - b.start),
    );
  return /^[a-z]+(?:\s|$)/.test(said) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
}

/** Code without any other words needs an instruction. */
function leadOf({ role, main, carried }: LinkedStep): string {
  if (!/^[πκ](?: \.)?$/.test(main.gist)) return '';
  if (role === 'sql')
    return `Run this SQL query${carried.map((name) => ` on ${name}`).join('')}:\n`;
  const isPython = /^py/.test(main.pieces[0]?.language ?? '');
  return isPython ? 'Run this Python code:\n' : 'Run this command:\n';
}

/** As written if only a joint is between two pieces, else with a space. */
function join(text: string, pieces: readonly Piece[]): string {
  let joined = '';
  for (const [at, { said, start }] of pieces.entries()) {
    const last = pieces[at - 1];
    const between = last === undefined ? '' : text.slice(last.end, start);
    joined += (/^[\s,;:]*(?:(?:and|then)\s+)*$/i.test(between) ? between : ' ') + said;
  }
  return joined;
}

/** `show the file` */
const showIt =
  /^(?:show|print|display|read)(?: me)? ((?:the|this|that|the whole|the changed) file)(?=(?: [^\w]+)*$)/;

/** The pieces of the main clause with the name of a file or of a result. */
function withFile({ role, main, outputs, carried }: LinkedStep, name: string): readonly Piece[] {
  const { gist, verb, pieces } = main;
  const isOne = carried.length === 1;
  const spot = isOne ? (inIt.exec(gist) ?? showIt.exec(gist)) : null;
  if (spot !== null) {
    const size = sizeOf(spot[1] ?? '');
    const at = sizeOf(gist.slice(0, spot.index + spot[0].length)) - size;
    return put(pieces, name, at, size);
  }
  const [first, ...rest] = isOne ? pieces.map(withoutIts) : pieces;
  if (first === undefined) return pieces;
  if (outputs.length > 0) {
    const said = `Using ${name}, ${first.said.charAt(0).toLowerCase()}${first.said.slice(1)}`;
    return [{ ...first, said }, ...rest];
  }
  if (role === 'sql')
    return put(pieces, ` on ${name}`, sizeOf(/^.*?(?= (?:: )?[πκ])/.exec(gist)?.[0] ?? ''));
  const link = role === 'summarise' && gist === verb ? ' ' : ' in ';
  return put([first, ...rest], `${link}${name}`, sizeOf(gist.replace(/(?: [.!?])+$/, '')));
}

/** The pieces with other words at a place, instead of some or behind the one before. */
function put(pieces: readonly Piece[], said: string, at: number, size = 0): readonly Piece[] {
  const from = pieces[size > 0 ? at : at - 1];
  const to = pieces[size > 0 ? at + size - 1 : at - 1];
  if (from === undefined || to === undefined) return pieces;
  const start = size > 0 ? from.start : from.end;
  return pieces.toSpliced(at, size, { ...from, said, start, end: to.end });
}

/** `count its lines` as `count the lines` of a file. */
const withoutIts = (piece: Piece, at: number, pieces: readonly Piece[]): Piece =>
  piece.gist === 'its' && /^(?:lines?|words?)$/.test(pieces[at + 1]?.gist ?? '')
    ? { ...piece, said: 'the' }
    : piece;
