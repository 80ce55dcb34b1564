import type { AnsweredApproval } from '../../../app/approvals/answer-approval.ts';
import type { ApprovalAnswer, PlainAnswer } from '../../../contract/approval.ts';
import { AppError, failedWith } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import { approvalDocument, missingChoice, personAnswer } from '../../approval/approval-block.ts';
import { rememberRequestOf } from '../../approval/remember-words.ts';
import { answerCommands } from '../../errors/next-command.ts';
import { shortId } from '../../text/short-id.ts';
import type { CommandContext, CommandResult } from '../../with-capstan.ts';

/** `approvals answer`: for questions of capsules, and those with other choices than approve and deny. */
export async function answer(context: CommandContext): Promise<CommandResult> {
  const [id = '', typed = ''] = context.args.positionals;
  const approval = await context.capstan.approvals.get(id);
  const given = approval.kind === 'question' ? personAnswer(typed, approval) : undefined;
  const missing = missingChoice(typed, approval.choices);
  if (approval.freeText && given === undefined && missing) throw usage(`${missing}.`);
  return decide(context, given ?? typed);
}

/** `approvals approve` and `approvals deny`, by the answer. */
export async function decide(context: CommandContext, given: ApprovalAnswer) {
  const { approval, next, isRemembered } = await send(context, given);
  const isHosted = await isContinuedByServer(context, approval.runId, next);
  const { question, kind } = approval;
  const past = kind === 'question' ? 'Answered:' : pastOf(given);
  const lines = [
    `${past} ${escapeText(question)} (${shortId(approval.id)})`,
    ...(isRemembered ? ['The answer is remembered: capstan policy remembered'] : []),
    ...(isHosted ? ['The running server continues the run.'] : []),
    ...next.map((one) => `  ${commandOf({ ...one, id: shortId(one.id) }, isHosted)}`),
  ];
  return {
    json: { ...approvalDocument(approval), next: next.map((one) => commandOf(one, isHosted)) },
    text: `${lines.join('\n')}\n`,
  };
}

async function send({ capstan, named, text }: CommandContext, given: ApprovalAnswer) {
  const [pattern, until, times] = ['pattern', 'until', 'times'].map(text);
  const words = { scope: text('remember'), pattern, until, times };
  const remember = rememberRequestOf(words, new Date());
  const request = { answer: given, by: 'cli', binding: text('binding'), note: text('note') };
  try {
    const answered = await capstan.approvals.answer(named, { ...request, remember });
    return { ...answered, isRemembered: remember !== undefined };
  } catch (error) {
    throw withCommands(error);
  }
}

/** Lists the command line of each valid answer, and the choices of a capsule with their numbers. */
function withCommands(error: unknown): unknown {
  if (!failedWith(error, 'APPROVAL_CHOICE')) return error;
  const { given, ...question } = error.details;
  const isPerson = question.free_text !== undefined;
  const numbered = question.choices.map((choice, index) => `${index + 1}  ${escapeText(choice)}`);
  const lines = [...(isPerson ? numbered : []), ...answerCommands(question)].map(
    (line) => `\n  ${line}`,
  );
  const what = isPerson ? 'Write a number or a choice' : 'Write one of these';
  const problem = `"${given}" is not an answer to this question. ${what}:${lines.join('')}`;
  return new AppError('USAGE', { problem }, { cause: error });
}

type Next = AnsweredApproval['next'];

const commandOf = ({ action, id }: Next[number], isHosted: boolean): string => {
  if (action === 'answer') return `capstan approvals show ${id}`;
  return isHosted ? `capstan runs follow ${id}` : `capstan resume ${id}`;
};

/** Whether a running server continues the parked run by itself: it waited for answers, and has them all. */
async function isContinuedByServer(
  { capstan }: CommandContext,
  runId: string,
  next: Next,
): Promise<boolean> {
  if (next.length === 0 || next.some(({ action }) => action === 'answer')) return false;
  if ((await capstan.serving.row()).url() === undefined) return false;
  return (await capstan.runs.get(runId)).document.reason === 'approval';
}

const pastWords: Readonly<Record<PlainAnswer, string>> = {
  approve: 'Approved:',
  deny: 'Denied:',
  it_happened: 'Recorded as done:',
  do_it: 'Will be done:',
  abandon: 'Abandoned:',
  none: 'None of these:',
};

const pastOf = (given: ApprovalAnswer): string =>
  Object.hasOwn(pastWords, given)
    ? pastWords[given as PlainAnswer]
    : `To ${escapeText(given.slice('capsule:'.length))}:`;
