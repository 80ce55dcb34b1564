import type { AnswerRequest } from '../../../app/approvals/answer-approval.ts';
import { editableSteps, type PlanPreview } from '../../../contract/plan-preview.ts';
import { closest } from '../../../contract/text/closest.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { modelHints } from '../../../contract/wire/model-hints.ts';

export type EditedSteps = NonNullable<AnswerRequest['steps']>;
type EditedStep = EditedSteps[number];

const HEAD = `# The plan. A step is a number and what to do, followed by its fields:
#   after: 1, 2          steps that must end first
#   capsule: file-clerk  the capsule that runs it; default: the best match
#   hint: fast           class of model: fast, balanced or best
#   writes: docs/a.md    files that the step must write
#   needs: write         abilities that its capsule must have
# Lines that begin with # are ignored. Steps can be added, changed and deleted.
`;

/** Formats a plan as text to edit. */
export function planText(plan: Pick<PlanPreview, 'steps'>): string {
  const steps = editableSteps(plan);
  const numberOf = (id: string) => {
    const at = steps.findIndex((step) => step.id === id);
    return at < 0 ? id : String(at + 1);
  };
  const texts = steps.map(({ description, depends_on, writes, needs, ...step }, index) => {
    const found = plan.steps[index]?.capsule_id;
    const capsule =
      'capsule' in step ? [`  capsule: ${step.capsule}`] : found ? [`  # capsule: ${found}`] : [];
    const lines = [
      `${index + 1} ${escapeText(description.replace(/\s+/g, ' '))}`,
      ...listLine('after', depends_on.map(numberOf)),
      ...capsule,
      ...('hint' in step ? [`  hint: ${step.hint}`] : []),
      ...listLine('writes', writes),
      ...listLine('needs', needs),
    ];
    return lines.join('\n');
  });
  return `${HEAD}\n${texts.join('\n\n')}\n`;
}

const listLine = (field: string, values: readonly string[]): string[] =>
  values.length > 0 ? [`  ${field}: ${values.join(', ')}`] : [];

export type ParsedPlan =
  | { readonly steps: EditedSteps }
  /** One sentence that names the line and the fix. */
  | { readonly problem: string };

const fields = ['after', 'capsule', 'hint', 'writes', 'needs'] as const;
type Field = (typeof fields)[number];

interface Draft {
  readonly number: string;
  readonly line: number;
  readonly description: string;
  readonly values: Map<Field, { readonly line: number; readonly text: string }>;
}

/** Reads an edited plan. A step with a number of the plan keeps that step's id. */
export function parsePlanText(text: string, plan: Pick<PlanPreview, 'steps'>): ParsedPlan {
  const drafts: Draft[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    const problem = takeLine(drafts, written.trim(), index + 1);
    if (problem !== undefined) return { problem: `Line ${index + 1}: ${problem}` };
  }
  if (drafts.length === 0)
    return {
      problem: 'The plan has no step. Write one, such as `1 Fix the tests`. Esc drops the plan.',
    };
  const ids = new Map(drafts.map(({ number }) => [number, idOf(number, plan)]));
  const steps: EditedStep[] = [];
  for (const draft of drafts) {
    const after = draft.values.get('after');
    const unknown = listOf(after?.text).find((one) => /^\d+$/.test(one) && !ids.has(one));
    if (after && unknown !== undefined)
      return {
        problem: `Line ${after.line}: there is no step ${unknown}. There are: ${[...ids.keys()].join(', ')}.`,
      };
    const step = stepOf(draft, ids);
    const before = plan.steps.find(({ id }) => id === step.id)?.order_only;
    const order_only = before?.filter((one) => step.depends_on?.includes(one));
    steps.push({ ...step, ...(order_only && { order_only }) });
  }
  return { steps };
}

/** Adds one line to the drafts. Returns the problem with it, if any. */
function takeLine(drafts: Draft[], text: string, line: number): string | undefined {
  if (text === '' || text.startsWith('#')) return undefined;
  const [, number, description] = /^(\d+)[.)]?\s+(.+)$/.exec(text) ?? [];
  if (number !== undefined && description !== undefined) {
    const twin = drafts.find((one) => one.number === number);
    if (twin) return `step ${number} is on line ${twin.line} too. Give it another number.`;
    drafts.push({ number, line, description, values: new Map() });
    return undefined;
  }
  return takeField(drafts.at(-1), text, line);
}

function takeField(draft: Draft | undefined, text: string, line: number): string | undefined {
  const [, name = '', value = ''] = /^([\w-]+)\s*:\s*(.*)$/.exec(text) ?? [];
  const shown = escapeText(text.slice(0, 40));
  if (name === '') return `"${shown}" is neither a step ("2 What to do") nor a field ("after: 1").`;
  const field = fields.find((one) => one === name);
  const meant = closest(name, fields);
  if (!field)
    return `there is no field "${escapeText(name)}". ${meant ? `Did you mean ${meant}?` : `There are: ${fields.join(', ')}.`}`;
  if (!draft) return `"${shown}" is before the first step. Move it below one.`;
  if (draft.values.has(field)) return `step ${draft.number} has "${field}" twice. Delete one.`;
  if (field === 'hint' && !modelHints.some((one) => one === value))
    return `hint is "${escapeText(value.slice(0, 40))}". It must be fast, balanced or best.`;
  if (value !== '') draft.values.set(field, { line, text: value });
  return undefined;
}

function idOf(number: string, { steps }: Pick<PlanPreview, 'steps'>): string {
  const kept = steps[Number(number) - 1]?.id;
  return kept ?? `added_${number}`;
}

const listOf = (text = ''): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

function stepOf(
  { number, description, values }: Draft,
  ids: ReadonlyMap<string, string>,
): EditedStep {
  const of = (field: Field) => values.get(field)?.text;
  const capsule = of('capsule');
  const hint = of('hint');
  return {
    id: ids.get(number) ?? number,
    description,
    depends_on: listOf(of('after')).map((one) => ids.get(one) ?? one),
    writes: [...listOf(of('writes'))],
    // An unknown need is refused when the plan is answered; the error lists the known ones.
    needs: [...listOf(of('needs'))] as EditedStep['needs'],
    ...(capsule === undefined ? {} : { capsule }),
    ...(hint === undefined ? {} : { hint: hint as EditedStep['hint'] }),
  };
}
