import { commandForms } from '../commands/run-commands.ts';
import { fileForms, readingForms } from '../files/file-forms.ts';
import { tokenize } from '../language/lexer.ts';
import { FOUND_BEFORE } from '../language/lexicon.ts';
import { pageForms } from '../pages/read-pages.ts';
import { readInstruction } from '../phrases/instruction.ts';
import { fitOf, nearest } from '../phrases/perform-task.ts';
import { summaryForms } from '../summary/extract-summary.ts';
import { startingVerb } from './actions.ts';
import type { LinkedStep } from './links.ts';
import { gistOf, piecesOf } from './pieces.ts';
import { type PlannedStep, planTask, readTask } from './plan-task.ts';
import { hasEffect, isOneOf } from './step.ts';

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
