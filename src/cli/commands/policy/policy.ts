import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { withCapstan } from '../../with-capstan.ts';
import { backtestRules } from './policy-backtest.ts';
import { explainIntents } from './policy-explain.ts';
import { testRules } from './policy-test.ts';

const commonOptions = [
  { flags: '-w, --workspace <dir>', description: 'the workspace to decide for' },
  { flags: '--policy <file>', description: 'use this rules file instead of your policy.yaml' },
  { flags: '--trust-project', description: "trust the project's files for this command" },
  { flags: '--json', description: 'print JSON' },
];

export const command: CommandDefinition = {
  name: 'policy',
  summary: 'Explain decisions and test rules',
  options: [],
  examples: [
    'capstan policy explain \'{"capsule": "file-clerk", "tool": "file_io", "args": {"operation": "read", "path": "README.md"}}\'',
    'capstan policy test',
    'capstan policy backtest --since 7d --policy edited.yaml',
  ],
  subcommands: [
    {
      name: 'explain',
      summary: 'Explain which step and rule decide an intent, without performing it',
      arguments: '[intent]',
      options: [
        {
          flags: '--file <path>',
          description: 'read one intent per line (JSONL), print one result per line',
        },
        ...commonOptions,
      ],
      examples: [
        'capstan policy explain \'{"capsule": "command-runner", "tool": "terminal", "args": {"argv": ["npm", "test"]}}\'',
        'capstan policy explain --file intents.jsonl --json',
      ],
      run: withCapstan(explainIntents),
    },
    {
      name: 'test',
      summary: 'Check the rules files and run the examples of every rule',
      options: commonOptions,
      examples: ['capstan policy test', 'capstan policy test --policy edited.yaml --json'],
      run: withCapstan(testRules),
    },
    {
      name: 'backtest',
      summary:
        'Decide every journaled intent again with the current rules and show what would change',
      options: [
        {
          flags: '--since <time>',
          description: 'only intents of the last 30m, 12h, 7d or 4w, or since a date',
        },
        ...commonOptions,
      ],
      examples: [
        'capstan policy backtest --since 7d',
        'capstan policy backtest --policy edited.yaml --json',
      ],
      run: withCapstan(backtestRules),
    },
  ],
  run: async (_args, io) => {
    io.stderr(
      'capstan policy: name a subcommand: explain, test or backtest (see `capstan policy --help`)\n',
    );
    return exitCodes.usage;
  },
};
