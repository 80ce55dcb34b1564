import { usage } from '../../contract/usage.ts';
import { modelHints } from '../../contract/wire/model-hints.ts';
import type { CommandArguments, CommandDefinition } from '../command.ts';
import { choiceOption, isolationFlags, standard, textOption } from '../options/standard-options.ts';
import { openAtTerminal } from '../run/open-at-terminal.ts';
import { showOptions } from '../run/show-options.ts';
import { attachedInput, taskOf } from '../run/task-options.ts';

export const command: CommandDefinition = {
  name: 'run',
  summary: 'Carry out one task and print its answer',
  arguments: '[task...]',
  options: {
    '--file <file>': 'read the task from a file; the task - reads stdin',
    '--stdin': 'pass the text on stdin to the run as data, at most 1 MiB',
    ...standard.workspace,
    '-c, --continue':
      'continue the newest session of the folder: its tasks and answers are context',
    '--session <session>': 'continue this session, in its folder unless --workspace names another',
    ...standard.provider,
    ...standard.model,
    '--hint <kind>': 'the kind of model for steps: fast, balanced or best',
    '--plan-first': 'show the plan and ask before its steps start',
    '--dry-run': 'only plan: show steps, capsules and estimated cost',
    '--capsule <capsule>': 'give the whole task to this capsule',
    '--approve-mode <mode>': 'how to answer questions: ask (default), allow or deny',
    ...standard.budget,
    ...standard.policy,
    ...isolationFlags,
    ...standard.timeout,
    ...showOptions,
    ...standard.trustProject,
  },
  examples: [
    'capstan run "Count the lines of every .md file in docs and save the table as lines.csv"',
    'capstan run --json --approve-mode deny --timeout 120 "Summarize README.md in five sentences"',
    'capstan run --continue "And now only for March"',
    'capstan run --capsule sql-analyst "How many orders per country are in shop.db?"',
    'echo "List the largest files" | capstan run -',
    'git diff | capstan run --stdin "Review this change"',
    'capstan run --approve-mode deny --junit report.xml "Count the lines of notes.txt"',
  ],
  run: async (args, io) => {
    const { workspace, capsule, policy, provider, model, approveMode } = args.options;
    const { budgetUsd, requireIsolation, timeout, trustProject } = args.options;
    const session = sessionOf(args);
    const hint = choiceOption('--hint', args.options['hint'], modelHints);
    const settings = { provider, model, approveMode, budgetUsd, requireIsolation };
    const opened = await openAtTerminal(args, io, async () => ({
      task: await taskOf(args, io),
      attachments: await attachedInput(args, io),
    }));
    const { capstan, terminal, prepared } = opened;
    const options = {
      ...prepared,
      hint,
      planFirst: args.options['planFirst'] === true,
      dryRun: args.options['dryRun'] === true,
      workspace: textOption(workspace),
      capsule: textOption(capsule),
      policyFile: textOption(policy),
      settings: { ...settings, timeout, trustProject },
      isIsolationWaived: args.options['dangerouslyNoIsolation'] === true,
      ...terminal.listeners,
    };
    return opened.show(
      session === undefined
        ? capstan.runs.start(options)
        : capstan.sessions.continue(session, options),
    );
  },
};

/** The session that `--continue` or `--session` names; undefined for a new one. @throws AppError `USAGE`. */
export function sessionOf({ options }: CommandArguments): string | undefined {
  const session = textOption(options['session']);
  if (options['continue'] !== true) return session;
  if (session === undefined) return 'last';
  throw usage('Use --continue (the newest session of the folder) or --session <id>, not both.');
}
