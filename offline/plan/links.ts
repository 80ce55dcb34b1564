import { FOUND_BEFORE } from '../language/found-before.ts';
import { gistOf } from './pieces.ts';
import { hasOwnScope, isCounting, narrowingOf } from './rows.ts';
import { askedOf, type Role, type Step, sentenceOf } from './step.ts';

/** A step with what it needs from earlier ones. */
export interface LinkedStep extends Step {
  /** Indices of the steps whose results it needs. */
  readonly needs: ReadonlySet<number>;
  /** What its text leaves out: the files that an earlier step named, or the result of one. */
  readonly carried: readonly string[];
}

/** What later steps are about: the files or the result of a step. */
interface Source {
  readonly files: readonly string[];
  readonly at: number;
  readonly step: Step;
}

const givesResult: ReadonlySet<Role> = new Set([
  'ask',
  'run',
  'sql',
  'fetch',
  'summarise',
  'other',
]);
const takesFile: ReadonlySet<Role> = new Set(['ask', 'sql', 'summarise', 'edit']);
const readsFile: ReadonlySet<Role> = new Set(['ask', 'sql', 'summarise', 'other']);

/** Adds to each step what it needs from earlier ones, and the files that it does not name. */
export function linkSteps(steps: readonly Step[]): readonly LinkedStep[] {
  const linked: LinkedStep[] = [];
  let source: Source | undefined;
  let unsaved: readonly number[] = [];
  for (const [at, step] of steps.entries()) {
    const from = renamedBefore(step, linked) ?? source;
    const isAboutFile = inIt.test(step.main.gist) && source?.files.length === 1;
    const referred = isAboutFile ? [] : referredBy(step, linked, unsaved);
    const taken = from === undefined ? nothing : takenFrom(step, from, referred.length > 0);
    const results = [...referred, ...taken.needs];
    const inputs = [...step.inputs, ...taken.files];
    const outputs = step.role === 'edit' ? [...step.outputs, ...taken.files] : step.outputs;
    const carried = taken.isResult ? [FOUND_BEFORE] : taken.files;
    const whole = { ...step, inputs, outputs, carried };
    linked.push({ ...whole, needs: new Set([...results, ...sharing(whole, linked)]) });
    // `How many are there?` between two steps about the same rows.
    if (!(taken.isResult && isCounting(askedOf(step)))) source = sourceOf(whole, at) ?? source;
    unsaved = unsaved.filter((one) => !results.includes(one));
    if (givesResult.has(step.role)) unsaved = [...unsaved, at];
  }
  return linked;
}

/** `in it`, `in the file`: the one file that was named before, not a result. */
export const inIt =
  /\b(?:in|of|to|from|inside|within) ((?:it|the file|that file|this file|the same file|the database|the log))\b/;

/** `rename a.txt to b.txt and count its lines`: the file under its new name. */
function renamedBefore(step: Step, linked: readonly Step[]): Source | undefined {
  const before = linked.at(-1);
  const name = before?.role === 'edit' ? before.outputs.at(-1) : undefined;
  if (before === undefined || name === undefined) return undefined;
  const isPointing = /\b(?:it|its|them|their|the file)\b/.test(gistOf(askedOf(step)));
  return isPointing ? { files: [name], at: linked.length - 1, step: before } : undefined;
}

/** `it` is the last result; `a report` and `them` are all results that are not saved yet, or all results. */
function referredBy(
  { role, refersTo, inputs, main }: Step,
  linked: readonly Step[],
  unsaved: readonly number[],
): readonly number[] {
  // `it` means a file that the step itself names.
  if (refersTo === 'none' || (role !== 'save' && inputs.length > 0)) return [];
  const results = [...linked.keys()].filter((at) => givesResult.has(linked[at]?.role ?? 'save'));
  const open = unsaved.length > 0 ? unsaved : results;
  if (refersTo === 'all') return open;
  const isNear = (at: number) => sentenceOf(linked[at] as Step) === main.sentence;
  const near = role === 'save' ? open.filter(isNear) : [];
  return near.length > 0 ? near : results.slice(-1);
}

interface Taken {
  readonly needs: readonly number[];
  readonly files: readonly string[];
  /** Whether the text has to say that the step is about what was found. */
  readonly isResult: boolean;
}

const nothing: Taken = { needs: [], files: [], isResult: false };

/** What a step without a file is about. */
function takenFrom(step: Step, { files, at, step: before }: Source, refers: boolean): Taken {
  const { role, inputs, outputs, refersTo } = step;
  if (!takesFile.has(role) || inputs.length > 0 || (role === 'edit' && outputs.length > 0))
    return nothing;
  if (isAboutResult(step, before)) {
    const isResult = role === 'ask' && outputs.length === 0 && refersTo === 'none';
    return { needs: [at], files: [], isResult };
  }
  if (files.length === 0) return readsFile.has(before.role) ? nothing : { ...nothing, needs: [at] };
  const isAboutReference = refers && (role === 'summarise' || refersTo === 'all');
  return isAboutReference ? nothing : { ...nothing, files };
}

const asking: ReadonlySet<Role> = new Set(['ask', 'summarise']);

/**
 * `search a.log for POST and count the lines`: if the previous step selected a part of its file, a step without a
 * file is about that part. It gets the result, and does not read the whole file again.
 */
function isAboutResult(step: Step, before: Step): boolean {
  if (!asking.has(step.role) || !(asking.has(before.role) || before.role === 'other')) return false;
  const asked = askedOf(before);
  const narrowing = narrowingOf(asked);
  if (narrowing === 'none' || hasOwnScope(askedOf(step), narrowing)) return false;
  const isApart = step.main.sentence !== sentenceOf(before) && step.outputs.length === 0;
  return !(isApart && (narrowing === 'ranked' || isCounting(asked)));
}

/** A step that writes a file needs, or is needed by, each other step that names it. A command may touch any file. */
function sharing({ role, inputs, outputs }: Step, linked: readonly Step[]): readonly number[] {
  const own = [...inputs, ...outputs];
  return [...linked.keys()].filter((at) => {
    const earlier = linked[at];
    const isShared = overlap(earlier?.outputs, own) || overlap(earlier?.inputs, outputs);
    return isShared || role === 'run' || (earlier?.role === 'run' && role !== 'save');
  });
}

const overlap = (a: readonly string[] = [], b: readonly string[]): boolean =>
  a.some((name) => b.includes(name));

function sourceOf(step: Step, at: number): Source | undefined {
  const { role, inputs, outputs } = step;
  if (role === 'fetch' || role === 'run') return { files: [], at, step };
  if (role === 'write') return outputs.length > 0 ? { files: outputs, at, step } : undefined;
  const isSource = readsFile.has(role) && (inputs.length > 0 || role === 'ask');
  return isSource ? { files: inputs, at, step } : undefined;
}
