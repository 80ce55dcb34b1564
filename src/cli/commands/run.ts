import { readFileSync } from 'node:fs';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { findPlaces, makePlaces } from '../../config/places.ts';
import { AppError, failedWith } from '../../contract/errors.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import { brokenRunDocument } from '../broken-run-document.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { isIsolationWaived, isolationFlags } from '../isolation-flags.ts';
import { printError } from '../print-error.ts';
import { printRun } from '../print-run.ts';
import { showRun } from '../show-run.ts';

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
  run: async (args, io) => {
    const isJson = args.options['json'] === true;
    try {
      return await runTask(args, io, isJson);
    } catch (error) {
      const runId = failedWith(error, 'SETTINGS_INVALID') ? await keepRefusal(args, io, error) : '';
      const document = brokenRunDocument(error, runId);
      if (isJson) printRun(io, document);
      else printError(io, error);
      return exitCodeOf(document as Pick<RunRecord, 'status' | 'reason'>, { isLate: false });
    }
  },
};

/** A run that bad settings refuse has a row, too, where the database can be opened at all. Returns its id, or ''. */
async function keepRefusal(args: CommandArguments, io: CommandIo, error: unknown): Promise<string> {
  try {
    const { openStores } = await import('../../coordinator/open-stores.ts');
    const { redactorOfNames } = await import('../../app/wiring/known-secrets.ts');
    const { recordRefusal } = await import('../../coordinator/record-refusal.ts');
    const places = findPlaces(io.environment, io.cwd);
    makePlaces(places);
    const redactor = redactorOfNames(io.environment);
    const stores = openStores(places.stateDir, { redactor });
    try {
      return recordRefusal(stores, { task: taskOf(args), workspace: io.cwd }, error).id;
    } finally {
      stores.close();
    }
  } catch {
    return '';
  }
}

async function runTask(args: CommandArguments, io: CommandIo, isJson: boolean): Promise<number> {
  const task = taskOf(args);
  const loaded = await loadSettings({
    flags: args.options,
    environment: io.environment,
    cwd: io.cwd,
    installFolder: installFolder(),
  });
  const { capsule, policy, quiet } = args.options;
  const policyFile = typeof policy === 'string' ? policy : undefined;
  const shown = {
    io,
    isJson,
    isQuiet: quiet === true,
    policyFile,
    isIsolationWaived: isIsolationWaived(args.options),
  };
  return showRun(loaded, shown, (app, signal) =>
    app.startRun({
      task,
      signal,
      ...(typeof capsule === 'string' ? { namedCapsule: capsule } : {}),
    }),
  );
}

function taskOf({ positionals }: CommandArguments): string {
  const words = positionals.join(' ').trim();
  const task = words === '-' ? readFileSync(0, 'utf8').trim() : words;
  if (task === '')
    throw new AppError('USAGE', {
      problem:
        'There is no task. Say what is to be done: capstan run "…" (see `capstan run --help`).',
    });
  if (task.length > 100_000) {
    throw new AppError('USAGE', {
      problem: `The task has ${task.length} characters; 100,000 are allowed. Put the material into a file and name it.`,
    });
  }
  return task;
}
