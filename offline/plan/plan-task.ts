import { commandForms } from '../commands/run-commands.ts';
import { fileForms, readingForms } from '../files/file-forms.ts';
import { tokenize } from '../language/lexer.ts';
import { FOUND_BEFORE } from '../language/lexicon.ts';
import { reworded } from '../language/reword.ts';
import { pageForms } from '../pages/read-pages.ts';
import { readInstruction } from '../phrases/instruction.ts';
import { fitOf, nearest } from '../phrases/perform-task.ts';
import { summaryForms } from '../summary/extract-summary.ts';
import { startingVerb } from './actions.ts';
import { type Clause, clausesOf } from './clauses.ts';
import { aboutWritten, inIt, type LinkedStep, linkSteps } from './links.ts';
import { gistOf, type Piece, piecesOf, sizeOf } from './pieces.ts';
import { hasEffect, isOneOf } from './step.ts';
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

const asks = isOneOf('ask sql');

/** Plans a task. Steps with an effect wait for the questions. If a step is not understood, `problem` says so, and no step may be performed. */
export function planWhole(text: string): { steps: readonly PlannedStep[]; problem?: string } {
  const planned = planTask(text);
  if (planned.length < 2) return { steps: planned };
  const { steps } = readTask(text);
  const unknown = planned.findIndex(({ description }) => !isKnown(description));
  const isEffect = steps.some((step, at) => at !== unknown && hasEffect(step));
  // A task that only reads is performed, and its answer says what was not understood.
  const { description } = planned[isEffect ? unknown : -1] ?? {};
  if (description !== undefined) return { steps: planned, problem: problemOf(description) };
  return { steps: withQuestionsFirst(planned, steps) };
}

function withQuestionsFirst(planned: readonly PlannedStep[], steps: readonly LinkedStep[]) {
  const acting = steps.map(
    (step, at) => hasEffect(step) && !isFigure(step, planned[at]?.description),
  );
  const isBehindEffect: boolean[] = [];
  for (const { needs, after } of steps)
    isBehindEffect.push([...needs, ...after].some((at) => acting[at] || isBehindEffect[at]));
  const isFirst = steps.map(
    (step, at) => asks(step) && !acting[at] && !isBehindEffect[at] && areDataFiles(step.inputs),
  );
  // These are dependencies with results, so steps that work on results do not get them.
  const waits = steps.map(({ role, refersTo, inputs }, at) => {
    const worksOnResults = role === 'save' || role === 'ask' || refersTo !== 'none';
    return acting[at] && !worksOnResults && areFiles(inputs);
  });
  return planned.map((step, at) => ({
    ...step,
    depends_on: planned.flatMap(({ id }, other) =>
      step.depends_on.includes(id) || (waits[at] && isFirst[other]) ? [id] : [],
    ),
  }));
}

/** Whether a step without a verb asks about data: `amount per country in a.csv`. */
const isFigure = ({ role, main, outputs, inputs }: LinkedStep, description = ''): boolean =>
  role === 'other' &&
  main.verb === '' &&
  outputs.length === 0 &&
  areDataFiles(inputs) &&
  !fits(description);

/** Whether all names are single files, without globs and folders. */
const areFiles = (names: readonly string[]) => names.every((name) => !/[*]|\/$/.test(name));

const areDataFiles = (names: readonly string[]) =>
  names.length > 0 && areFiles(names) && names.every((name) => dataFile.test(name));

const forms = [...fileForms, ...commandForms, ...pageForms, ...summaryForms];
const readings = [...readingForms, ...summaryForms];

const dataFile = /\.(?:csv|tsv|json|jsonl|ndjson|log|db3?|sqlite3?)\b/i;

/** Kinds of verbs that only a form can perform. */
const isForForms = /^(?:other|edit|write|run|append|summarise|save)$/;

/** Whether a step matches a form, or may be a question about data. */
function isKnown(description: string): boolean {
  const kind = startingVerb(gistOf(piecesOf(description)))?.kind ?? 'question';
  const isData = dataFile.test(description) || description.includes(FOUND_BEFORE);
  if (!isForForms.test(kind) || isData || fits(description)) return true;
  // Words may mean a file, so each run of up to three words is tried as one.
  const tokens = tokenize(description);
  return [1, 2, 3].some((size) =>
    tokens.some(({ start }, at) => {
      const end = tokens[at + size - 1]?.end;
      const before = description.slice(0, start);
      return end !== undefined && fits(`${before}"a.txt"${description.slice(end)}`);
    }),
  );
}

const fits = (text: string) => fitOf(readInstruction(text), { forms, readings }) !== undefined;

function problemOf(description: string): string {
  const works = nearest(readInstruction(description), forms, 'a.txt');
  const example = works === undefined ? '' : ` This works: "${works}".`;
  return `"${description.split('\n')[0]}" is not understood, so nothing was done.${example}`;
}
