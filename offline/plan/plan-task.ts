import { reworded } from '../language/reword.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { aboutWritten, inIt, type LinkedStep, linkSteps } from './links.ts';
import { gistOf, type Piece, piecesOf, sizeOf } from './pieces.ts';
import { hasEffect } from './step.ts';
import { stepsOf } from './steps.ts';

/** One subtask of a plan, in the format of the `plan` document. */
export interface PlannedStep {
  readonly id: string;
  readonly description: string;
  readonly depends_on: readonly string[];
  /** Those of `depends_on` whose results it does not get. Omitted if there are none. */
  readonly order_only?: readonly string[];
}

/** Splits an explicit task into steps, which have all its words except connectors (`and then`), list markers and courtesy. The same task always gives the same steps. */
export function planTask(text: string): readonly PlannedStep[] {
  const { steps, bans, said } = readTask(text);
  if (steps.length === 0) return [{ id: 'step_1', description: text.trim(), depends_on: [] }];
  const acts = steps.map(hasEffect);
  return steps.map((step, index) => {
    const isMeant = acts.includes(true) ? acts[index] : index === steps.length - 1;
    return {
      id: `step_${index + 1}`,
      description: sayStep(said, step, isMeant ? bans : []),
      depends_on: idsOf([...step.needs, ...step.after]),
      ...(step.after.size > 0 && { order_only: idsOf([...step.after]) }),
    };
  });
}

const idsOf = (steps: readonly number[]) =>
  steps.toSorted((a, b) => a - b).map((at) => `step_${at + 1}`);

/** Reads a task into linked steps, before they are described, and the bans for every step with effects. */
export function readTask(text: string) {
  const said = reworded(text);
  const clauses = clausesOf(piecesOf(said));
  const steps = linkSteps(stepsOf(clauses.filter(({ kind }) => kind !== 'ban')));
  return { said, steps, bans: clauses.filter(({ kind }) => kind === 'ban') };
}

/** Describes a step: its clauses as written, with the file that they leave out. */
function sayStep(text: string, step: LinkedStep, bans: readonly Clause[]): string {
  const { clauses, main, carried } = step;
  const lead = leadOf(step);
  const isComplete = lead !== '' || carried.length === 0;
  const pieces = [...clauses, ...bans].flatMap((clause) =>
    clause === main && !isComplete ? withFile(step, carried.join(' and ')) : clause.pieces,
  );
  pieces.sort((a, b) => a.start - b.start);
  const said = lead + join(text, pieces);
  return /^[a-z]+(?:\s|$)/.test(said) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
}

/** The instruction before code that has no other words. */
function leadOf({ role, main, carried }: LinkedStep): string {
  if (!/^[πκ](?: \.)?$/.test(main.gist)) return '';
  if (role === 'sql')
    return `Run this SQL query${carried.map((name) => ` on ${name}`).join('')}:\n`;
  const isPython = /^py/.test(main.pieces[0]?.language ?? '');
  return isPython ? 'Run this Python code:\n' : 'Run this command:\n';
}

/** Joins pieces with the original text between them if it is only a connector, otherwise with a space. */
function join(text: string, pieces: readonly Piece[]): string {
  let joined = '';
  for (const [at, { said, start }] of pieces.entries()) {
    const last = pieces[at - 1];
    const between = last === undefined ? '' : text.slice(last.end, start);
    joined += (/^[\s,;:]*(?:(?:and|then)\s+)*$/i.test(between) ? between : ' ') + said;
  }
  return joined;
}

/** Words for the file in `show the file`. */
const showIt =
  /^(?:show|print|display|read)(?: me)? ((?:the|this|that|the whole|the changed) file)(?=(?: [^\w]+)*$)/;

/** Adds the name of a file or of a result to the main clause. */
function withFile({ role, main, outputs, carried }: LinkedStep, name: string): readonly Piece[] {
  const { gist, verb } = main;
  const isOne = carried.length === 1;
  const pieces = main.pieces.map((piece, at) => {
    const isIts = isOne && /^its (?:lines?|words?)$/.test(gistOf(main.pieces, at, at + 2));
    return isIts ? { ...piece, said: 'the' } : piece;
  });
  const put = (at: number, size: number, said: (old: string) => string) => {
    const [first, last] = [pieces[Math.max(0, at)], pieces[at + size - 1]];
    if (first !== undefined)
      pieces.splice(at, size, { ...first, said: said(first.said), end: last?.end ?? first.end });
    return pieces;
  };
  const spots = isOne ? [aboutWritten, inIt, showIt].map((one) => one.exec(gist)) : [];
  const spot = spots.find((one) => one !== null);
  const size = sizeOf(spot?.[1] ?? spot?.[2] ?? '');
  if (spot) return put(sizeOf(gist.slice(0, spot.index + spot[0].length)) - size, size, () => name);
  if (outputs.length > 0)
    return put(0, 1, (old) => `Using ${name}, ${old.charAt(0).toLowerCase()}${old.slice(1)}`);
  const isShort = role === 'summarise' && gist === verb;
  const end = role === 'sql' ? / (?:: )?[πκ].*$/ : /(?: [.!?])+$/;
  const link = role === 'sql' ? ' on ' : isShort ? ' ' : ' in ';
  return put(sizeOf(gist.replace(end, '')) - 1, 1, (old) => `${old}${link}${name}`);
}
