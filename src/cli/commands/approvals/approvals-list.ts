import { answerAction } from '../../../contract/next.ts';
import { approvalStatus } from '../../../contract/text/approval-status.ts';
import { approvalBlock } from '../../approval/approval-block.ts';
import { approvalDocument } from '../../approval/approval-document.ts';
import { personQuestionBlock } from '../../approval/person-question.ts';
import { answerCommands } from '../../errors/next-command.ts';
import { approvalColumns } from '../../lists/columns/approval-columns.ts';
import { listText } from '../../lists/list-text.ts';
import { limitOption } from '../../options/option-value.ts';
import { createStyle } from '../../style.ts';
import type { CommandContext, CommandResult } from '../../with-capstan.ts';

/** `approvals list`. */
export async function list({ capstan, args, io, has }: CommandContext): Promise<CommandResult> {
  const all = has('all');
  const limit = all ? limitOption(args.options['limit']) : undefined;
  const rows = await capstan.approvals.list({ all, limit });
  const none = all ? 'Nothing has been asked yet.\n' : 'Nothing waits for an answer.\n';
  const columns = approvalColumns(all, new Date());
  return { json: rows.map(approvalDocument), text: await listText(rows, columns, { io, none }) };
}

/** `approvals show`. */
export async function show({ capstan, io, named }: CommandContext): Promise<CommandResult> {
  const approval = await capstan.approvals.get(named);
  const style = createStyle(io.environment, io.isTerminal && io.isOutputTerminal === true);
  const shown = { style, now: new Date() };
  const block =
    approval.kind === 'question'
      ? personQuestionBlock(approval, shown)
      : approvalBlock(approval, { ...shown, isFolded: false }).text;
  const commands = approval.status === 'pending' ? answerCommands(answerAction(approval)) : [];
  const status = approvalStatus(approval);
  return {
    json: approvalDocument(approval),
    text: `${block}\n${status[0]?.toUpperCase()}${status.slice(1)}.\n${commands.map((line) => `  ${line}\n`).join('')}`,
  };
}
