import { AppError } from '../../contract/errors.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { isIsolationWaived, isolationFlags } from '../options/isolation-flags.ts';
import { textOption } from '../options/text-option.ts';
import { openAtTerminal } from '../run/open-at-terminal.ts';
import { readTask } from '../run/read-task.ts';

export const command: CommandDefinition = {
  name: 'run',
  topic: 'Work',
  summary: 'Carry out one task and print its answer',
  arguments: '<task...>',
  options: [
    {
      flags: '-w, --workspace <dir>',
      description: 'folder to work in (default: the current folder)',
    },
    {
      flags: '-c, --continue',
      description: 'continue the newest session of the folder: its tasks and answers are context',
    },
    {
      flags: '--session <session>',
      description: 'continue this session, in its folder unless --workspace names another',
    },
    { flags: '--provider <name>', description: 'offline, openai, anthropic, gemini or ollama' },
    { flags: '--model <name>', description: "the provider's model, for every kind of call" },
    { flags: '--capsule <capsule>', description: 'give the whole task to this capsule' },
    {
      flags: '--approve-mode <mode>',
      description: 'how to answer questions: ask (default), allow or deny',
    },
    {
      flags: '--budget-usd <amount>',
      description: 'spending limit; setting it is the consent to spend',
    },
    { flags: '--policy <file>', description: 'use this rules file instead of your policy.yaml' },
    ...isolationFlags,
    { flags: '--timeout <seconds>', description: 'time limit' },
    { flags: '--json', description: 'print one JSON document' },
    { flags: '-q, --quiet', description: 'no progress on stderr; warnings are still printed' },
    {
      flags: '--trust-project',
      description: "trust the project's files for this command (for CI)",
    },
  ],
  examples: [
    'capstan run "Count the lines of every .md file in docs and save the table as lines.csv"',
    'capstan run --json --approve-mode deny --timeout 120 "Summarize README.md in five sentences"',
    'capstan run --continue "And now only for March"',
    'capstan run --capsule sql-analyst "How many orders per country are in shop.db?"',
    'echo "List the largest files" | capstan run -',
  ],
  run: async (args, io) => {
    const { workspace, capsule, policy, provider, model, approveMode } = args.options;
    const { budgetUsd, requireIsolation, timeout, trustProject } = args.options;
    const session = sessionOf(args);
    const opened = await openAtTerminal(args, io, () => taskOf(args, io));
    const { capstan, terminal, prepared: task } = opened;
    try {
      const options = {
        task,
        workspace: textOption(workspace),
        capsule: textOption(capsule),
        policyFile: textOption(policy),
        settings: {
          provider,
          model,
          approveMode,
          budgetUsd,
          requireIsolation,
          timeout,
          trustProject,
        },
        isIsolationWaived: isIsolationWaived(args.options),
        ...terminal.listeners,
      };
      const run = await (session === undefined
        ? capstan.runs.start(options)
        : capstan.sessions.continue(session, options));
      return await terminal.show(run);
    } finally {
      await opened.close();
    }
  },
};

/** @throws AppError `USAGE`. */
function sessionOf({ options }: CommandArguments): string | undefined {
  const session = textOption(options['session']);
  if (options['continue'] !== true) return session;
  if (session === undefined) return 'last';
  const problem = 'Use --continue (the newest session of the folder) or --session <id>, not both.';
  throw new AppError('USAGE', { problem });
}

async function taskOf({ positionals }: CommandArguments, { input }: CommandIo): Promise<string> {
  const words = positionals.join(' ').trim();
  const task = words === '-' ? await readTask(input) : words;
  if (task === '')
    throw new AppError('USAGE', {
      problem: 'There is no task. Name one: capstan run "…" (see `capstan run --help`).',
    });
  return task;
}
