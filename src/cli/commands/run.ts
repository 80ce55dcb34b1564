import { AppError } from '../../contract/errors.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { isIsolationWaived, isolationFlags } from '../isolation-flags.ts';
import { readTask } from '../read-task.ts';
import { runAtTerminal } from '../run-at-terminal.ts';

export const command: CommandDefinition = {
  name: 'run',
  summary: 'Carry out one task and end with its answer',
  arguments: '<task...>',
  options: [
    { flags: '-w, --workspace <dir>', description: 'folder to work in (default: the current one)' },
    { flags: '--provider <name>', description: 'offline, openai, anthropic, gemini or ollama' },
    { flags: '--model <name>', description: "the provider's model, for every kind of call" },
    { flags: '--capsule <id>', description: 'give the whole task to this capsule' },
    {
      flags: '--approve-mode <mode>',
      description: 'ask (default), allow or deny what would be asked',
    },
    {
      flags: '--budget-usd <amount>',
      description: 'most that the run may spend; naming it is the consent',
    },
    { flags: '--policy <file>', description: 'rules file to use in place of your policy.yaml' },
    ...isolationFlags,
    { flags: '--timeout <seconds>', description: 'longest time of the run' },
    { flags: '--json', description: 'print one JSON document instead of the answer' },
    { flags: '-q, --quiet', description: 'no progress on stderr' },
    {
      flags: '--trust-project',
      description: "use this project's Capstan files as they are now (for CI)",
    },
  ],
  examples: [
    'capstan run "Count the lines of every .md file in docs and save the table as lines.csv"',
    'capstan run --json --approve-mode deny --timeout 120 "Summarize README.md in five sentences"',
    'capstan run --capsule sql-analyst "How many orders has each country in shop.db?"',
    'echo "List the largest files" | capstan run -',
  ],
  run: (args, io) => {
    const { workspace, capsule, policy, ...settings } = args.options;
    return runAtTerminal(args, io, {
      prepare: () => taskOf(args, io),
      start: ({ capstan, listeners }, task = '') =>
        capstan.runs.start({
          task,
          workspace: textOf(workspace),
          capsule: textOf(capsule),
          policyFile: textOf(policy),
          settings,
          isIsolationWaived: isIsolationWaived(args.options),
          ...listeners,
        }),
    });
  },
};

const textOf = (option: unknown): string | undefined =>
  typeof option === 'string' ? option : undefined;

async function taskOf({ positionals }: CommandArguments, { input }: CommandIo): Promise<string> {
  const words = positionals.join(' ').trim();
  const task = words === '-' ? await readTask(input) : words;
  if (task === '')
    throw new AppError('USAGE', {
      problem:
        'There is no task. Say what is to be done: capstan run "…" (see `capstan run --help`).',
    });
  return task;
}
