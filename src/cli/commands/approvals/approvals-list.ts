import { answerAction } from '../../../contract/next.ts';
import { approvalStatus } from '../../../contract/text/approval-status.ts';
import { approvalBlock } from '../../approval/approval-block.ts';
import { approvalDocument } from '../../approval/approval-document.ts';
import { personQuestionBlock } from '../../approval/person-question.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { answerCommands } from '../../errors/next-command.ts';
import { printJson } from '../../io/print-json.ts';
import { approvalColumns } from '../../lists/columns/approval-columns.ts';
import { printList } from '../../lists/print-list.ts';
import { limitOption } from '../../options/limit-option.ts';
import { createStyle } from '../../style.ts';
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
    await printList(rows, approvalColumns(isAll, new Date()), { io });
  }
  return exitCodes.completed;
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
