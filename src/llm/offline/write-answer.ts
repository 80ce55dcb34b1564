import { escapeText } from '../../contract/text/escape-text.ts';
import { GET_A_MODEL } from '../../contract/vendors.ts';
import { asRecord } from '../../platform/text/parse-json.ts';
import type { AnswerDocument, AnsweredSubtask } from './documents.ts';
import { modelSettings } from './needs-model.ts';

/** Longest text of one subtask in an answer, in characters; the rest is in the run's record. */
const maxResultChars = 12_000;

/** Joins the results of the subtasks to one answer, consistent with their statuses. */
export function writeAnswer({ status, subtasks, artifacts, denials = [] }: AnswerDocument): string {
  const isOne = subtasks.length === 1;
  const refused = new Set(denials.map(({ subtask_id }) => subtask_id));
  const parts = [
    lead(status, subtasks),
    ...subtasks.map((subtask, index) =>
      section(subtask, {
        number: index + 1,
        isOne,
        isKept: subtasks.slice(index + 1).some((later) => hasSaved(later, subtask)),
        isDoubtful: status !== 'completed' && refused.has(subtask.id),
      }),
    ),
    files(artifacts),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const done = ({ status }: AnsweredSubtask) => status === 'completed';

/** The summary of completed and failed steps, failures first. */
function lead(status: string, subtasks: readonly AnsweredSubtask[]): string {
  const completed = subtasks.filter(done).length;
  const isAll = completed === subtasks.length && status === 'completed';
  if (isAll && subtasks.length === 1) return '';
  if (isAll) return `All ${subtasks.length} steps are done.`;
  const counts = new Map<string, number>();
  for (const subtask of subtasks) {
    if (!done(subtask)) counts.set(subtask.status, (counts.get(subtask.status) ?? 0) + 1);
  }
  const rest = [...counts].map(([word, count]) => `${count} ${word.replaceAll('_', ' ')}`);
  if (subtasks.length < 2 && completed === 0) return '**The task was not done.**';
  if (rest.length === 0) return '**The task was not completed.**';
  return `**The task was not completed**: ${completed} of ${subtasks.length} steps completed; ${rest.join(', ')}.`;
}

interface Section {
  readonly number: number;
  /** Whether it is the only one, which needs no heading. */
  readonly isOne: boolean;
  /** Whether a later step saved it, so that its first rows are enough. */
  readonly isKept: boolean;
  /** Whether a request of the step was denied, so that its result may be wrong. */
  readonly isDoubtful: boolean;
}

function section(subtask: AnsweredSubtask, { number, isOne, isKept, isDoubtful }: Section): string {
  const isDone = done(subtask);
  const whole = isDone ? textOf(subtask.result) : failure(subtask);
  const text = isKept ? withFirstRows(whole) : whole;
  const shown = isDone && isDoubtful ? `${DOUBT}\n\n${text.replace(/^/gm, '> ')}` : text;
  if (isOne) return shown;
  const how = isDone ? '' : ` (${subtask.status.replaceAll('_', ' ')})`;
  return `## ${number}. ${shorten(subtask.description)}${how}\n\n${shown}`;
}

/** Whether a later step says that it saved the result of this one. */
function hasSaved(later: AnsweredSubtask, { description }: AnsweredSubtask): boolean {
  const said = done(later) ? textOf(later.result) : '';
  return said.startsWith('Saved the result') && said.includes(`"${description}"`);
}

/** A table with its header and first rows. */
const withFirstRows = (text: string): string =>
  text.replace(new RegExp(`^((?:\\|.*\n){${FIRST_ROWS + 2}})((?:\\|.*(?:\n|$))+)`, 'gm'), cutRows);

const FIRST_ROWS = 10;

function cutRows(_all: string, first: string, rest: string): string {
  const end = rest.endsWith('\n') ? '\n' : '';
  return `${first}\n(${rest.trim().split('\n').length} more rows)${end}`;
}

const DOUBT = "The capsule's own report. The denied operations were not performed:";

function shorten(description: string): string {
  const line = description.split('\n')[0]?.trim() ?? '';
  return (line.length > 160 ? `${line.slice(0, 159)}…` : line).replace(/[.:]+$/, '');
}

/** The text of a result: a string, or the `text` of `{text, data}`; anything else as JSON. */
function textOf(result: unknown): string {
  const own = typeof result === 'string' ? result : asRecord(result)['text'];
  const text = typeof own === 'string' ? own : JSON.stringify(result ?? null, null, 2);
  if (text.trim() === '') return '(No text.)';
  if (text.length <= maxResultChars) return text.trim();
  return `${text.slice(0, maxResultChars)}\n\n(Truncated: ${text.length} characters in all. The record of the run has the rest.)`;
}

const fixes = new Map<string, string>([
  ['dependency_failed', 'Complete the step that it depends on, then run the task again.'],
  [
    'expired',
    'Nobody answered in time. Run it again and answer, or raise `CAPSTAN_APPROVAL_DEADLINE_SEC`.',
  ],
  ['budget', 'Raise the budget, `CAPSTAN_BUDGET_RUN_USD`.'],
  ['CAPSULE_TIMED_OUT', 'Give the capsule more time with `CAPSTAN_CAPSULE_TIMEOUT_SEC`.'],
  ['deadline', 'Give it more time with `CAPSTAN_RUN_TIMEOUT_SEC`.'],
  ['cancelled', 'It was cancelled. Run the task again.'],
]);

function failure({ reason, error, status }: AnsweredSubtask): string {
  const said =
    error?.message.trim() ||
    (reason
      ? `Reason: ${reason.replaceAll('_', ' ')}.`
      : `It ended as ${status.replaceAll('_', ' ')} without a reason.`);
  const fix = fixFor(reason ?? '', error?.code ?? '', said);
  return fix === '' ? said : `${said}\n\nTo fix it: ${fix}`;
}

/** `OPENAI_API_KEY, … or start Ollama`: a failure with these words says already how to get a model. */
const MODEL_KEYS = GET_A_MODEL.replace('Set ', '');

function fixFor(reason: string, code: string, said: string): string {
  const known = fixes.get(code) ?? fixes.get(reason);
  if (known !== undefined) return known;
  const wantsModel = ['NEEDS_MODEL', 'NOT_UNDERSTOOD', 'MODEL_NEEDED', 'NO_CAPSULE_FITS'].includes(
    code,
  );
  if (!wantsModel || said.includes('CAPSTAN_PROVIDER') || said.includes(MODEL_KEYS)) return '';
  return `rephrase the task in words that the capsules know, or ${modelSettings}.`;
}

function files(artifacts: AnswerDocument['artifacts']): string {
  if (artifacts.length === 0) return '';
  const lines = artifacts.map(
    ({ path, bytes }) => `- ${escapeText(path)} (${bytes} ${bytes === 1 ? 'byte' : 'bytes'})`,
  );
  return `Files written:\n\n${lines.join('\n')}`;
}
