import type { Approval } from '../../../contract/approval.ts';
import { answerAction } from '../../../contract/next.ts';
import { approvalStatus } from '../../../contract/text/approval-status.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortTime } from '../../../contract/text/short-time.ts';
import { approvalBlock, costOf, tierOf } from '../../approval/approval-block.ts';
import { approvalDocument } from '../../approval/approval-document.ts';
import { personQuestionBlock } from '../../approval/person-question.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { answerCommands } from '../../errors/next-command.ts';
import { formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { limitOption } from '../../options/limit-option.ts';
import { createStyle } from '../../style.ts';
import { shortFolder } from '../../text/short-folder.ts';
import { shortId } from '../../text/short-id.ts';
import type { CommandContext } from '../../with-capstan.ts';

/** `approvals list`. */
export async function list({ capstan, args, io }: CommandContext): Promise<number> {
  const isAll = args.options['all'] === true;
  const limit = isAll ? limitOption(args.options['limit']) : undefined;
  const rows = await capstan.approvals.list({ all: isAll, limit });
  if (args.options['json'] === true) {
    printJson(io, rows.map(approvalDocument));
  } else if (rows.length === 0) {
    io.stdout(isAll ? 'Nothing has been asked yet.\n' : 'Nothing waits for an answer.\n');
  } else {
    const now = new Date();
    const head = ['question', 'status', 'capsule', 'tier', 'cost', 'workspace', 'asks'];
    io.stdout(formatTable([head, ...rows.map((row) => rowOf(row, now, io.environment))]));
  }
  return exitCodes.completed;
}

const rowOf = (
  approval: Approval,
  now: Date,
  environment: NodeJS.ProcessEnv,
): readonly string[] => [
  shortId(approval.id),
  statusOf(approval, now),
  escapeText(approval.capsuleId),
  ...(approval.kind === 'question'
    ? ['-', '-']
    : [tierOf(approval).replace('tier ', ''), costOf(approval)]),
  shortFolder(approval.workspace, environment),
  oneLine(approval.question),
];

function statusOf({ kind, status, answer, expiresAt }: Approval, now: Date): string {
  if (status !== 'pending')
    return kind === 'question' && answer !== null ? 'answered' : (answer ?? 'expired');
  if (expiresAt === null) return 'waits';
  return Date.parse(expiresAt) > now.getTime() ? `waits until ${shortTime(expiresAt)}` : 'overdue';
}

const MAX_CHARACTERS = 80;

/** The text on one line, with the number of characters left out. */
function oneLine(text: string): string {
  const all = [...escapeText(text.replace(/\s+/g, ' '))];
  const left = all.length - MAX_CHARACTERS;
  return left > 0
    ? `${all.slice(0, MAX_CHARACTERS).join('')}… (${left} more characters)`
    : all.join('');
}

/** `approvals show`. */
export async function show({ capstan, args, io }: CommandContext): Promise<number> {
  const approval = await capstan.approvals.get(args.positionals[0] ?? '');
  if (args.options['json'] === true) {
    printJson(io, approvalDocument(approval));
    return exitCodes.completed;
  }
  const style = createStyle(io.environment, io.isTerminal && io.isOutputTerminal === true);
  const shown = { style, now: new Date() };
  io.stdout(
    approval.kind === 'question'
      ? personQuestionBlock(approval, shown)
      : approvalBlock(approval, { ...shown, isFolded: false }).text,
  );
  const commands = approval.status === 'pending' ? answerCommands(answerAction(approval)) : [];
  const status = approvalStatus(approval);
  io.stdout(`\n${status[0]?.toUpperCase()}${status.slice(1)}.\n`);
  for (const command of commands) io.stdout(`  ${command}\n`);
  return exitCodes.completed;
}
