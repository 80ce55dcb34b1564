import type { CommandDefinition, CommandOption } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { withCapstan } from '../with-capstan.ts';
import { list, show } from './approvals-list.ts';
import { remembered, revoke } from './approvals-remembered.ts';

const json: CommandOption = { flags: '--json', description: 'print JSON' };

const ofAnswer: readonly CommandOption[] = [
  { flags: '--note <text>', description: 'why, for the record' },
  {
    flags: '--binding <hash>',
    description:
      'what you looked at, as `show` names it: refused where the question is about something else',
  },
  json,
];

const ofYesOrNo: readonly CommandOption[] = [
  {
    flags: '--remember <scope>',
    description:
      'give this answer again: `run` until the run ends, `capsule` in every run of this capsule',
  },
  {
    flags: '--pattern <pattern>',
    description:
      'to what else: argv:npm test **, path:docs/**, host:*.example.com (default: this very request)',
  },
  {
    flags: '--until <when>',
    description: 'remember until a day or time, or for 12h, 7d, 4w (default for capsule: 30d)',
  },
  { flags: '--times <n>', description: 'remember for at most so many times' },
  ...ofAnswer,
];

const answers = () => import('./approvals-answer.ts');

export const command: CommandDefinition = {
  name: 'approvals',
  summary: 'See what runs ask for, and answer it from any terminal',
  options: [],
  examples: ['capstan approvals list', 'capstan approvals approve 0199a1b2 --remember run'],
  subcommands: [
    {
      name: 'list',
      summary: 'List what waits for an answer, oldest first',
      options: [
        { flags: '--all', description: 'also what was answered or expired, newest first' },
        { flags: '-n, --limit <count>', description: 'most to list with --all (default: 50)' },
        json,
      ],
      examples: ['capstan approvals list', 'capstan approvals list --all --limit 10'],
      run: withCapstan(list),
    },
    {
      name: 'show',
      summary: 'Show one question with all that will be done, in full',
      arguments: '<id>',
      options: [json],
      examples: ['capstan approvals show 0199a1b2'],
      run: withCapstan(show),
    },
    {
      name: 'approve',
      summary: 'Say yes: what was asked is done, once',
      arguments: '<id>',
      options: ofYesOrNo,
      examples: [
        'capstan approvals approve 0199a1b2',
        'capstan approvals approve 0199a1b2 --remember capsule --pattern "argv:npm test **" --until 7d --times 20',
      ],
      run: withCapstan(async (context) => (await answers()).approve(context)),
    },
    {
      name: 'deny',
      summary: 'Say no: it is not done, and the capsule is told so',
      arguments: '<id>',
      options: ofYesOrNo,
      examples: ['capstan approvals deny 0199a1b2 --note "keep that file"'],
      run: withCapstan(async (context) => (await answers()).deny(context)),
    },
    {
      name: 'answer',
      summary:
        'Answer what yes and no do not: which capsule (capsule:<id>, none), or what a crash left of something (it_happened, do_it, abandon)',
      arguments: '<id> <answer>',
      options: ofAnswer,
      examples: [
        'capstan approvals answer 0199a1b2 capsule:log-analyst',
        'capstan approvals answer 0199a1b2 it_happened',
      ],
      run: withCapstan(async (context) => (await answers()).answer(context)),
    },
    {
      name: 'remembered',
      summary: 'List the answers that are given again, and how often each was',
      options: [json],
      examples: ['capstan approvals remembered'],
      run: withCapstan(remembered),
    },
    {
      name: 'revoke',
      summary: 'Forget a remembered answer: the next time is asked about again',
      arguments: '<id>',
      options: [json],
      examples: ['capstan approvals revoke 0199a1b2'],
      run: withCapstan(revoke),
    },
  ],
  run: async (_args, io) => {
    io.stderr(
      'capstan approvals: say list, show, approve, deny, answer, remembered or revoke (see `capstan approvals --help`)\n',
    );
    return exitCodes.usage;
  },
};
