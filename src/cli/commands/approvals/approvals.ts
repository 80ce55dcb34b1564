import type { CommandDefinition, CommandOption } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { withCapstan } from '../../with-capstan.ts';
import { remembered, revoke } from '../policy/approvals-remembered.ts';
import { list, show } from './approvals-list.ts';

const json: CommandOption = { flags: '--json', description: 'print JSON' };

const ofAnswer: readonly CommandOption[] = [
  { flags: '--note <text>', description: 'the reason, for the record' },
  {
    flags: '--binding <hash>',
    description:
      'the binding that `show` printed: the answer is refused if the question is about another request',
  },
  json,
];

const ofYesOrNo: readonly CommandOption[] = [
  {
    flags: '--remember <scope>',
    description:
      'repeat this answer: `run` until the run ends, `capsule` in every run of this capsule',
  },
  {
    flags: '--pattern <pattern>',
    description:
      'requests to repeat it for: argv:npm test **, path:docs/**, host:*.example.com (default: this request)',
  },
  {
    flags: '--until <when>',
    description: 'remember until a day or time, or for 12h, 7d, 4w (default for capsule: 30d)',
  },
  { flags: '--times <n>', description: 'how often to repeat it (default: no limit)' },
  ...ofAnswer,
];

const answers = () => import('./approvals-answer.ts');

export const command: CommandDefinition = {
  name: 'approvals',
  summary: 'List the questions of runs and answer them from any terminal',
  options: [],
  examples: ['capstan approvals list', 'capstan approvals approve 9c41d07e --remember run'],
  subcommands: [
    {
      name: 'list',
      summary: 'List the open questions of all workspaces, oldest first',
      options: [
        { flags: '--all', description: 'also answered and expired questions, newest first' },
        { flags: '-n, --limit <count>', description: 'maximum number with --all (default: 50)' },
        json,
      ],
      examples: ['capstan approvals list', 'capstan approvals list --all --limit 10'],
      run: withCapstan(list),
    },
    {
      name: 'show',
      summary: 'Show one question with the full request',
      arguments: '<id>',
      options: [json],
      examples: ['capstan approvals show 9c41d07e'],
      run: withCapstan(show),
    },
    {
      name: 'approve',
      summary: 'Approve a request (once)',
      arguments: '<id>',
      options: ofYesOrNo,
      examples: [
        'capstan approvals approve 9c41d07e',
        'capstan approvals approve 9c41d07e --remember capsule --pattern "argv:npm test **" --until 7d --times 20',
      ],
      run: withCapstan(async (context) => (await answers()).approve(context)),
    },
    {
      name: 'deny',
      summary: 'Deny a request; the capsule gets the denial',
      arguments: '<id>',
      options: ofYesOrNo,
      examples: ['capstan approvals deny 9c41d07e --note "keep that file"'],
      run: withCapstan(async (context) => (await answers()).deny(context)),
    },
    {
      name: 'answer',
      summary:
        'Answer a question of a capsule (the number of a choice, or your own words), which capsule gets a subtask (capsule:<id>, none), or an unknown outcome after a crash (it_happened, do_it, abandon)',
      arguments: '<id> <answer>',
      options: ofAnswer,
      examples: [
        'capstan approvals answer 9c41d07e 2',
        'capstan approvals answer 9c41d07e "the column shipped_at"',
        'capstan approvals answer 9c41d07e capsule:log-analyst',
        'capstan approvals answer 9c41d07e it_happened',
      ],
      run: withCapstan(async (context) => (await answers()).answer(context)),
    },
    {
      name: 'remembered',
      summary: 'List remembered answers and how often each was used',
      options: [json],
      examples: ['capstan approvals remembered'],
      run: withCapstan(remembered),
    },
    {
      name: 'revoke',
      summary: 'Revoke a remembered answer: the next request like it is asked about again',
      arguments: '<id>',
      options: [json],
      examples: ['capstan approvals revoke 9c41d07e'],
      run: withCapstan(revoke),
    },
  ],
  run: async (_args, io) => {
    io.stderr(
      'capstan approvals: name a subcommand: list, show, approve, deny, answer, remembered or revoke (see `capstan approvals --help`)\n',
    );
    return exitCodes.usage;
  },
};
