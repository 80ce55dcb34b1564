import { FOUND_BEFORE } from '../language/lexicon.ts';
import { gistOf } from './pieces.ts';
import { hasOwnScope, isCounting, narrowingOf } from './rows.ts';
import { askedOf, hasEffect, isOneOf, type Step, sentenceOf } from './step.ts';

/** A step and its dependencies on earlier steps. */
export interface LinkedStep extends Step {
  /** Indices of the steps whose results it needs. */
  readonly needs: ReadonlySet<number>;
  /** Indices of other steps that it only waits for. */
  readonly after: ReadonlySet<number>;
  /** What its text leaves out: files of an earlier step, or a reference to its result. */
  readonly carried: readonly string[];
}

/** What later steps without a file are about: the files or the result of this step. */
interface Source {
  readonly files: readonly string[];
  readonly at: number;
  readonly step: Step;
}

const givesResult = isOneOf('ask run git sql fetch summarise other');
const changesFiles = isOneOf('edit write');
const takesFile = isOneOf('ask sql summarise edit');
const readsFile = isOneOf('ask sql summarise other');
const asks = isOneOf('ask summarise');

const isRun = ({ role }: Step): boolean => role === 'run' || role === 'git';

/** Adds to each step its dependencies on earlier steps, and the files that it does not name. */
export function linkSteps(steps: readonly Step[]): readonly LinkedStep[] {
  const linked: LinkedStep[] = [];
  let source: Source | undefined;
  let unsaved: number[] = [];
  const orderOf = createOrder();
  for (const [at, step] of steps.entries()) {
    const isAboutFile = inIt.test(step.main.gist) && source?.files.length === 1;
    const referred = isAboutFile ? [] : referredBy(step, linked, unsaved);
    const written = writtenBefore(step, linked);
    const about = renamedBefore(step, linked) ?? source;
    const { results, carried } = written ?? takenBy(step, about, referred);
    const whole = withFiles(step, carried);
    const needs = new Set([...results, ...sharing(whole, linked)]);
    const one = { ...whole, needs, carried };
    linked.push({ ...one, after: orderOf(one) });
    source = sourceOf(one, at) ?? source;
    if (results.length > 0) unsaved = unsaved.filter((one) => !results.includes(one));
    if (givesResult(step)) unsaved.push(at);
  }
  return linked;
}

function withFiles(step: Step, carried: readonly string[]): Step {
  const files = carried.filter((name) => name !== FOUND_BEFORE);
  const outputs = step.role === 'edit' ? [...step.outputs, ...files] : step.outputs;
  return { ...step, inputs: [...step.inputs, ...files], outputs };
}

/** Words for the file named before, not for a result: `in it`, `in the file`. */
export const inIt =
  /\b(?:in|of|to|from|inside|within) (it|the file|that file|this file|the same file|the database|the log)\b/;

/** Words for the file that the previous step wrote: `move it to …`, `in the copy`. */
export const aboutWritten =
  /^(?:move|rename|copy|delete|remove) ((?:the|that|this) (?:new )?(?:file|copy)|it)(?= |$)|\b(?:in|of|to|from|inside) ((?:the|that|this) (?:copy|new file))(?= |$)/;

function writtenBefore(step: Step, linked: readonly Step[]): Taken | undefined {
  if (!aboutWritten.test(step.main.gist)) return undefined;
  const [file, ...others] = linked.at(-1)?.outputs ?? [];
  return file === undefined || others.length > 0 ? undefined : { results: [], carried: [file] };
}

/** The file under its new name: `rename a.txt to b.txt and count its lines`. */
function renamedBefore(step: Step, linked: readonly Step[]): Source | undefined {
  const before = linked.at(-1);
  const files = before?.role === 'edit' ? before.outputs.slice(-1) : [];
  const isMeant = /\b(?:it|its|them|their|the file)\b/.test(gistOf(askedOf(step)));
  if (before === undefined || files.length === 0 || !isMeant) return undefined;
  return { files, at: linked.length - 1, step: before };
}

/** The results that a step refers to: `it` is the last one, or, to save, those of the sentence since `then`; `them` are all unsaved ones; a report also has the changes. */
function referredBy(step: Step, linked: readonly Step[], unsaved: readonly number[]) {
  const isSave = step.role === 'save';
  // `it` means a file that the step itself names.
  if (step.refersTo === 'none' || (!isSave && step.inputs.length > 0)) return [];
  const those = (are: (one: Step) => boolean) =>
    linked.flatMap((earlier, at) => (are(earlier) ? [at] : []));
  const results = those(givesResult);
  const open = unsaved.length > 0 ? unsaved : results;
  // A report also says what was changed.
  const changes = isSave && /\breport\b/.test(step.main.gist) ? those(changesFiles) : [];
  if (step.refersTo === 'all') return [...open, ...changes].toSorted((a, b) => a - b);
  const inSentence = linked.map((earlier) => sentenceOf(earlier) === step.main.sentence);
  const stage = linked.findLastIndex(isNext);
  const near = open.filter((at) => isSave && inSentence[at] && at >= stage);
  return near.length > 0 ? near : results.slice(-1);
}

type Taken = Pick<LinkedStep, 'carried'> & { readonly results: readonly number[] };

/** The results and files for a step that names no file. */
function takenBy(step: Step, source: Source | undefined, referred: readonly number[]): Taken {
  const { role, inputs, outputs, refersTo } = step;
  const none = { results: referred, carried: [] };
  const named = role === 'edit' ? [...inputs, ...outputs] : inputs;
  if (source === undefined || named.length > 0 || !takesFile(step)) return none;
  const results = [...referred, source.at];
  const isPlain = role === 'ask' && outputs.length === 0 && refersTo === 'none';
  if (isAboutResult(step, source.step)) return { results, carried: isPlain ? [FOUND_BEFORE] : [] };
  const { files } = source;
  if (files.length === 0 && !readsFile(source.step)) return { results, carried: [] };
  const isAboutReference = referred.length > 0 && (role === 'summarise' || refersTo === 'all');
  return isAboutReference ? none : { results: referred, carried: files };
}

/** Whether a step without a file is about what the previous step selected: `search a.log for POST and count the lines`. */
function isAboutResult(step: Step, before: Step): boolean {
  const asked = askedOf(before);
  const narrowing =
    asks(step) && (asks(before) || before.role === 'other') ? narrowingOf(asked) : 'none';
  if (narrowing === 'none' || hasOwnScope(askedOf(step), narrowing)) return false;
  const isPointing = /\b(?:they|them|their|those|these|there|each)\b/.test(step.main.gist);
  // `How many orders are in a.csv and which customer …`: each question is about the file.
  const isNew = step.main.sentence !== sentenceOf(before);
  if (!isNew && !isPointing && step.main.kind === 'question' && before.main.kind === 'question')
    return false;
  const isApart = isNew && step.outputs.length === 0 && !/\btheir\b/.test(step.main.gist);
  return !(isApart && (narrowing === 'ranked' || isCounting(asked)));
}

/** Earlier steps that share a file with this one, if either writes it. A command may touch any file. */
function sharing(step: Step, linked: readonly Step[]): readonly number[] {
  const { role, inputs, outputs } = step;
  const own = [...inputs, ...outputs];
  const isFree = own.length === 0 && !isRun(step);
  if (isFree && !linked.some(isRun)) return [];
  const needs = (earlier: Step) =>
    isRun(step) ||
    (isRun(earlier) && role !== 'save') ||
    earlier.outputs.some((name) => own.includes(name)) ||
    earlier.inputs.some((name) => outputs.includes(name));
  return [...linked.keys()].filter((at) => needs(linked[at] as Step));
}

function sourceOf(step: Omit<LinkedStep, 'after'>, at: number): Source | undefined {
  const { role, inputs, outputs, carried } = step;
  // A count between two steps does not change what they are about: `How many are there?`
  if (carried.includes(FOUND_BEFORE) && isCounting(askedOf(step))) return undefined;
  if (role === 'fetch' || isRun(step)) return { files: [], at, step };
  const files = role === 'write' ? outputs : readsFile(step) ? inputs : [];
  return files.length > 0 || role === 'ask' ? { files, at, step } : undefined;
}

/** Returns a function that gets each step in turn, and returns the earlier steps that it only waits for: those before `then`, and if it may look at any file, those that change one. */
function createOrder(): (step: Omit<LinkedStep, 'after'>) => ReadonlySet<number> {
  const writersBefore = createWriters();
  let count = 0;
  let hasActed = false;
  // What comes before the last `then`; afterwards, the steps that no other one needs.
  let before: readonly number[] = [];
  let ends = new Set<number>();
  return (step) => {
    const isStage = isNext(step) && count > 0;
    if (isStage) [before, ends] = [[...ends], new Set()];
    hasActed ||= hasEffect(step);
    // Questions are answered whatever became of other questions.
    const waits = [...(hasActed ? before : []), ...writersBefore(step, { at: count, isStage })];
    const after = new Set(waits.filter((at) => !step.needs.has(at)));
    for (const at of [...step.needs, ...after]) ends.delete(at);
    ends.add(count);
    count += 1;
    return after;
  };
}

/** Returns the steps since the last `then` that change something, for a step that may look at any file. */
function createWriters() {
  let writers: readonly number[] = [];
  return (
    step: Omit<LinkedStep, 'after'>,
    { at, isStage }: { readonly at: number; readonly isStage: boolean },
  ) => {
    const earlier = looksAround(step) && !isStage ? writers : [];
    const isNew = isStage || earlier.length > 0;
    if (hasEffect(step)) writers = isNew ? [at] : [...writers, at];
    else if (isStage) writers = [];
    return earlier;
  };
}

/** Whether a step comes after the steps before it, in the words of the task. */
const isNext = ({ clauses, main }: Step): boolean =>
  clauses.slice(0, clauses.indexOf(main) + 1).some((clause) => clause.isNext);

const reads = isOneOf('ask run git sql summarise other');

/** Whether a step reads, and names neither a single file nor an earlier result. */
const looksAround = (step: Omit<LinkedStep, 'after'>): boolean =>
  reads(step) && step.refersTo === 'none' && step.carried.length === 0 && !step.inputs.some(isFile);

const isFile = (name: string) => !/[*?]|\/$/.test(name);
