import { findAtoms, maskAtoms } from './atoms.ts';
import { splitClauses } from './clauses.ts';
import type { Draft } from './draft.ts';
import { draftSteps } from './drafts.ts';
import { inIt, showIt } from './in-it.ts';
import { linkDrafts } from './link-drafts.ts';
import { joinSpans } from './spans.ts';
import type { TaskText } from './task-text.ts';

/** One subtask of a plan, as the `plan` document has it. */
export interface PlannedStep {
  readonly id: string;
  readonly description: string;
  readonly depends_on: readonly string[];
}

/**
 * Splits an explicit task into steps, in their order. The same task always gives the same steps.
 *
 * Every word of the task is in the description of a step, except joints (`and then`), list markers and courtesy. `in it` and
 * `in the file` become the name of the file that an earlier step named.
 */
export function planTask(text: string): readonly PlannedStep[] {
  const { task, drafts } = draftTask(text);
  if (drafts.length === 0) return [{ id: 'step_1', description: text.trim(), depends_on: [] }];
  return drafts.map((draft, index) => ({
    id: `step_${index + 1}`,
    description: describe(task, draft),
    depends_on: [...draft.needs].sort((a, b) => a - b).map((at) => `step_${at + 1}`),
  }));
}

/** The steps of a task before they are described. */
export function draftTask(text: string): {
  readonly task: TaskText;
  readonly drafts: readonly Draft[];
} {
  const atoms = findAtoms(text);
  const task: TaskText = { text, masked: maskAtoms(text, atoms), atoms };
  const drafts = draftSteps(task, splitClauses(task.masked));
  linkDrafts(drafts);
  return { task, drafts };
}

function describe({ text, masked }: TaskText, draft: Draft): string {
  const carried = draft.carried.join(' and ');
  const said = text.slice(draft.main.start, draft.main.end);
  const main = draft.carried.length === 1 ? said.replace(/\bits(?= lines?| words?)/i, 'the') : said;
  if (carried === '')
    return capitalise(draft.lead + joinSpans(text, [...draft.before, draft.main, ...draft.after]));
  const clause = masked.slice(draft.main.start, draft.main.end);
  const spot = draft.carried.length > 1 ? null : (inIt.exec(clause) ?? showIt.exec(clause));
  const named = spot === null ? undefined : replaceAt(main, spot, `${spot[1] ?? 'in'} ${carried}`);
  const behind = named ?? place(draft, main, carried);
  const before = joinSpans(text, draft.before);
  const after = joinSpans(text, draft.after);
  return capitalise([before, draft.lead + behind, after].filter((part) => part !== '').join(' '));
}

const replaceAt = (main: string, spot: RegExpExecArray, by: string) =>
  main.slice(0, spot.index) + by + main.slice(spot.index + spot[0].length);

/** After the clause and before its full stop; before a described file, whose description ends the clause. */
function place(draft: Draft, main: string, carried: string): string {
  if (draft.role === 'shape' || draft.outputs.length > 0)
    return `Using ${carried}, ${main.charAt(0).toLowerCase()}${main.slice(1)}`;
  if (draft.role === 'sql') return main.replace(/(?=:?\s*(?:```|`))/, ` on ${carried}`).trim();
  const end = /[.!?]*$/.exec(main)?.index ?? main.length;
  const link = draft.role === 'summarise' && !/\s/.test(main.trim()) ? ' ' : ' in ';
  return `${main.slice(0, end)}${link}${carried}${main.slice(end)}`;
}

const capitalise = (description: string) =>
  /^[a-z]+(?:\s|$)/.test(description)
    ? description.charAt(0).toUpperCase() + description.slice(1)
    : description;
