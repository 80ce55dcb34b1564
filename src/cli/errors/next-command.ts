import type { ApprovalAnswer } from '../../contract/approval.ts';
import type { AnswerAction, NextAction, RaiseAction } from '../../contract/next.ts';
import { quoteWord } from '../text/quote-word.ts';
import { shortId } from '../text/short-id.ts';

/** The command line that carries out an action: `capstan resume 0199…`. Parts in `"<>"` are for the user to fill in. */
export function commandOf(next: NextAction): string {
  if ('value' in next) return raiseCommand(next);
  if (next.action !== 'answer') return commandLines[next.action](next.id);
  const { id, choices } = next;
  if (next.free_text !== undefined) return `capstan approvals answer ${id} ${placeholderOf(next)}`;
  if (choices.includes('approve')) return answerCommand(id, 'approve');
  return `capstan approvals answer ${id} "<${choices.join('|')}>"`;
}

function raiseCommand(next: RaiseAction): string {
  const resume = `capstan resume ${next.id}`;
  if (next.action === 'raise_setting') return `${next.setting}=${next.value} ${resume}`;
  return `${resume} ${next.action === 'raise_budget' ? '--budget-usd' : '--timeout'} ${next.value}`;
}

/** The command lines of an action for people, with short ids: one for each choice of a question that can't be approved. */
export function commandLinesOf(next: NextAction): readonly string[] {
  const isApprovable = next.action !== 'answer' || next.choices.includes('approve');
  if (next.action === 'answer' && (next.free_text !== undefined || !isApprovable))
    return answerCommands(next);
  return [commandOf(next.id === undefined ? next : { ...next, id: shortId(next.id) })];
}

/** The command lines of all actions, each after `indent`. */
export const nextLines = (next: readonly NextAction[], indent = '  '): string =>
  next
    .flatMap(commandLinesOf)
    .map((line) => `${indent}${line}\n`)
    .join('');

/** The same actions with their command lines, as `--json` prints them. */
export const withCommands = (next: readonly NextAction[]) =>
  next.map((one) => ({ ...one, command: commandOf(one) }));

/** The command lines that answer a question by its short id, one for each answer. Choices of a capsule have numbers. */
export const answerCommands = (next: Omit<AnswerAction, 'action'>): readonly string[] => {
  const id = shortId(next.id);
  if (next.free_text === undefined) return next.choices.map((choice) => answerCommand(id, choice));
  return [`capstan approvals answer ${id} ${placeholderOf(next)}`];
};

/** `"<1|2|text>"`, `"<text>"`: in quotes, since `<` redirects in a shell. */
const placeholderOf = ({ choices, free_text }: Omit<AnswerAction, 'action'>): string =>
  choices.length === 0
    ? '"<text>"'
    : `"<${[...choices.map((_, i) => String(i + 1)), ...(free_text ? ['text'] : [])].join('|')}>"`;

const answerCommand = (id: string, choice: ApprovalAnswer): string =>
  choice === 'approve' || choice === 'deny'
    ? `capstan approvals ${choice} ${id}`
    : `capstan approvals answer ${id} ${choice}`;

const commandLines: Record<
  Exclude<NextAction['action'], 'answer' | RaiseAction['action']>,
  (id: string | undefined) => string
> = {
  show_run: (id) => `capstan runs show ${id}`,
  cancel: (id) => `capstan runs cancel ${id}`,
  show_approval: (id) => `capstan approvals show ${id}`,
  inspect_capsule: (id) => `capstan capsules inspect ${id}`,
  check_capsule: (id = '') => `capstan capsules check ${quoteWord(id)}`,
  test_capsule: (id) => `capstan capsules test ${id}`,
  restore_capsule: (id) => `capstan capsules restore ${id}`,
  resume: (id) => (id === undefined ? 'capstan resume' : `capstan resume ${id}`),
  list_runs: () => 'capstan runs list --all',
  list_approvals: () => 'capstan approvals list --all',
  list_remembered: () => 'capstan policy remembered',
  list_memory: (id = '') => `capstan capsules memory list ${id}`.trim(),
  confirm_memory: (id) => `capstan capsules memory edit ${id} --confirm`,
  export_capsule: (id = '"<id>"') => `capstan capsules export ${id}`,
  record_cases: (id = '"<id>"') => `capstan capsules test ${id} --record`,
  choose_provider: () => 'capstan setup',
  clear_session: () => 'capstan run "<a smaller task>"',
  waive_isolation: () => 'capstan run --dangerously-no-isolation "<task>"',
  force_fork: (id = '"<run>"') => `capstan runs fork ${id} --force`,
  run_doctor: () => 'capstan doctor',
};
