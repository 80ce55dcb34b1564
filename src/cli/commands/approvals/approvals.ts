import { answerAction } from '../../../contract/next.ts';
import { approvalStatus } from '../../../contract/text/approval-status.ts';
import {
  approvalBlock,
  approvalDocument,
  personQuestionBlock,
} from '../../approval/approval-block.ts';
import type { CommandOptions } from '../../command.ts';
import { answerCommands } from '../../errors/next-command.ts';
import { commandGroup } from '../../help/command-group.ts';
import { approvalColumns } from '../../lists/columns/approval-columns.ts';
import { listText } from '../../lists/list-text.ts';
import { limitOption, standard } from '../../options/standard-options.ts';
import { createStyle } from '../../text/style.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

const ofAnswer: CommandOptions = {
  '--note <text>': 'the reason, for the record',
  '--binding <hash>':
    'the binding that `show` printed: the answer is refused if the question is about another request',
  ...standard.json,
};

const ofYesOrNo: CommandOptions = {
  '--remember <scope>':
    'repeat this answer: `run` until the run ends, `capsule` in every run of this capsule',
  '--pattern <pattern>':
    'requests to repeat it for: argv:npm test **, path:docs/**, host:*.example.com (default: this request)',
  '--until <when>': 'remember until a day or time, or for 12h, 7d, 4w (default for capsule: 30d)',
  '--times <n>': 'how often to repeat it (default: no limit)',
  ...ofAnswer,
};

const answers = () => import('./approvals-answer.ts');

export const command = commandGroup('capstan approvals', {
  summary: 'List and answer open questions',
  arguments: '[question]',
  argumentsNote: 'Name a question by the last 8 characters of its id.',
  subcommands: [
    {
      name: 'list',
      summary: 'List the open questions of all workspaces, oldest first',
      options: {
        '--all': 'also answered and expired questions, newest first',
        ...standard.limit,
        ...standard.json,
      },
      examples: ['capstan approvals list', 'capstan approvals list --all --limit 10'],
      run: withCapstan(list),
    },
    {
      name: 'show',
      summary: 'Show one question with the full request',
      arguments: '<question>',
      options: { ...standard.json },
      examples: ['capstan approvals show 9c41d07e'],
      run: withCapstan(show),
    },
    {
      name: 'approve',
      topic: 'Answer',
      summary: 'Approve a request (once)',
      arguments: '<question>',
      options: ofYesOrNo,
      examples: [
        'capstan approvals approve 9c41d07e',
        'capstan approvals approve 9c41d07e --remember capsule --pattern "argv:npm test **" --until 7d --times 20',
      ],
      run: withCapstan(async (context) => (await answers()).decide(context, 'approve')),
    },
    {
      name: 'deny',
      topic: 'Answer',
      summary: 'Deny a request',
      arguments: '<question>',
      options: ofYesOrNo,
      examples: ['capstan approvals deny 9c41d07e --note "keep that file"'],
      run: withCapstan(async (context) => (await answers()).decide(context, 'deny')),
    },
    {
      name: 'answer',
      topic: 'Answer',
      summary: 'Answer a question with one of its choices or in your own words',
      arguments: '<question> <answer>',
      options: ofAnswer,
      examples: [
        'capstan approvals answer 9c41d07e 2',
        'capstan approvals answer 9c41d07e "the column shipped_at"',
        'capstan approvals answer 9c41d07e capsule:log-analyst',
        'capstan approvals answer 9c41d07e it_happened',
      ],
      run: withCapstan(async (context) => (await answers()).answer(context)),
    },
  ],
});

async function list({ capstan, args, io, has }: CommandContext): Promise<CommandResult> {
  const all = has('all');
  const limit = all ? limitOption(args.options['limit']) : undefined;
  const rows = await capstan.approvals.list({ all, limit });
  const none = all ? 'Nothing has been asked yet.\n' : 'Nothing waits for an answer.\n';
  const columns = approvalColumns(all, new Date());
  return { json: rows.map(approvalDocument), text: await listText(rows, columns, { io, none }) };
}

async function show({ capstan, io, named }: CommandContext): Promise<CommandResult> {
  const approval = await capstan.approvals.get(named);
  const style = createStyle(io.environment, io.isTerminal && io.isOutputTerminal === true);
  const shown = { style, now: new Date() };
  const block =
    approval.kind === 'question'
      ? personQuestionBlock(approval, shown)
      : approvalBlock(approval, shown).text;
  const commands = approval.status === 'pending' ? answerCommands(answerAction(approval)) : [];
  const status = approvalStatus(approval);
  return {
    json: approvalDocument(approval),
    text: `${block}\n${status[0]?.toUpperCase()}${status.slice(1)}.\n${commands.map((line) => `  ${line}\n`).join('')}`,
  };
}
