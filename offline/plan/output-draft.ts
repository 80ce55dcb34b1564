import type { Clause } from './clauses.ts';
import { type Draft, type DraftRole, newDraft } from './draft.ts';
import { letter } from './letters.ts';
import { readOutputClause, stem } from './output-clause.ts';
import { atomsIn, fileAt, filesIn, type TaskText } from './task-text.ts';

interface Drafting {
  readonly task: TaskText;
  readonly drafts: Draft[];
}

/** Adds the drafts of a clause whose verb is `save`, `write`, `create`, … */
export function draftOutput({ task, drafts }: Drafting, clause: Clause, context: Clause[]): void {
  if (
    atomsIn(task, clause).length === 0 &&
    /\b(?:summary|summaries|overview)\b/i.test(clause.masked) &&
    drafts.length === 0
  ) {
    drafts.push(newDraft('summarise', clause, context));
    return;
  }
  const read = readOutputClause(clause.masked, clause.verb, knownStems(task, drafts));
  const files = filesIn(task, clause);
  const targets = read.targets.flatMap((at) => fileAt(task, clause.start + at));
  const draft = newDraft(outputRole(read.kind, clause), clause, context);
  draft.outputs = read.kind === 'reference' ? files : targets;
  draft.inputs = [...context.flatMap((span) => filesIn(task, span)), ...files].filter(
    (name) => !draft.outputs.includes(name),
  );
  if (read.kind === 'reference') draft.refersTo = read.refersTo;
  if (read.kind === 'shape') {
    absorb(drafts, draft);
    if (draft.inputs.length === 0) draft.refersTo = 'unsaved';
  }
  if (read.secondAt > 0) {
    const at = clause.start + read.secondAt;
    draft.main = { start: clause.start, end: trimJoint(task, at) };
    draft.outputs = filesIn(task, draft.main);
    drafts.push(draft);
    const masked = `${clause.verb} ${task.masked.slice(at, clause.end)}`;
    const rest = readOutputClause(masked, clause.verb, knownStems(task, drafts));
    const second = newDraft('save', { ...clause, start: at }, []);
    second.lead = `${clause.verb} `;
    second.outputs = filesIn(task, second.main);
    second.refersTo = rest.refersTo;
    drafts.push(second);
    return;
  }
  drafts.push(draft);
}

const trimJoint = ({ masked }: TaskText, at: number): number =>
  masked.slice(0, at).replace(/[\s,]*(?:\band\b)?\s*$/i, '').length;

const outputRole = (kind: string, { verb, masked }: Clause): DraftRole => {
  if (kind === 'reference') return 'save';
  if (kind === 'content' || kind === 'shape') return kind;
  if (/\b(?:summary|overview)\b/i.test(masked)) return 'summarise';
  return verb === 'make' && /\bfolder|directory\b/i.test(masked) ? 'other' : 'data';
};

/** A shape without a source describes the answer to the previous question: one step. */
function absorb(drafts: Draft[], draft: Draft): void {
  if (draft.inputs.length > 0) return;
  while (drafts.at(-1)?.role === 'data' && drafts.at(-1)?.outputs.length === 0) {
    const asked = drafts.at(-1);
    if (asked === undefined) return;
    const sources = asked.inputs;
    if (
      draft.inputs.length > 0 &&
      sources.length > 0 &&
      !sources.every((name) => draft.inputs.includes(name))
    )
      return;
    drafts.pop();
    draft.before.unshift(...asked.before, asked.main, ...asked.after);
    draft.asked = `${asked.asked} ${draft.asked}`;
    draft.inputs.push(...sources.filter((name) => !draft.inputs.includes(name)));
  }
}

const wordRun = new RegExp(`(?:${letter}|\\d)+`, 'g');

function knownStems(task: TaskText, drafts: readonly Draft[]): ReadonlySet<string> {
  const stems = new Set<string>();
  for (const { main, after } of drafts) {
    for (const { start, end } of [main, ...after]) {
      for (const word of task.masked.slice(start, end).match(wordRun) ?? []) stems.add(stem(word));
    }
  }
  return stems;
}
