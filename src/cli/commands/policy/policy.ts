import { commandGroup } from '../../help/command-group.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';
import { listRules, testRules } from './check-rules.ts';
import { backtestRules } from './policy-backtest.ts';
import { explainIntents } from './policy-explain.ts';
import { policyRemembered } from './policy-remembered.ts';
import { command as trust } from './trust.ts';

const commonOptions = {
  ...standard.workspace,
  ...standard.policy,
  ...standard.trustProject,
  ...standard.json,
};

export const command = commandGroup('capstan policy', {
  topic: 'Extend',
  summary: 'Rules, trust and remembered answers',
  subcommands: [
    {
      name: 'rules',
      topic: 'Look',
      brief: 'those in force',
      summary: 'List the rules in force with their file and line',
      options: commonOptions,
      examples: ['capstan policy rules', 'capstan policy rules --workspace ../shop --json'],
      run: withCapstan(listRules),
    },
    {
      name: 'explain',
      topic: 'Look',
      brief: 'why one intent is decided so',
      summary: 'Explain which step and rule decide an intent, without performing it',
      arguments: '[intent]',
      options: {
        '--file <path>': 'read one intent per line (JSONL), print one result per line',
        ...commonOptions,
      },
      examples: [
        'capstan policy explain \'{"capsule": "command-runner", "tool": "terminal", "args": {"argv": ["npm", "test"]}}\'',
        'capstan policy explain --file intents.jsonl --json',
      ],
      run: withCapstan(explainIntents),
    },
    {
      name: 'test',
      topic: 'Check',
      brief: 'the rules and their examples',
      summary: 'Check the rules files and run the examples of every rule',
      options: commonOptions,
      examples: ['capstan policy test', 'capstan policy test --policy edited.yaml --json'],
      run: withCapstan(testRules),
    },
    {
      name: 'backtest',
      topic: 'Check',
      brief: 'past intents by these rules',
      summary:
        'Decide every journaled intent again with the current rules and show what would change',
      options: { ...standard.since, ...commonOptions },
      examples: [
        'capstan policy backtest --since 7d',
        'capstan policy backtest --policy edited.yaml --json',
      ],
      run: withCapstan(backtestRules),
    },
    trust,
    policyRemembered,
  ],
});
