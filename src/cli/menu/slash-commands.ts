import { usage } from '../../contract/usage.ts';
import { namedLines } from './draw/wrap-prose.ts';
import type { MenuContext } from './program/create-context.ts';

/** A command of the conversation. `/name words` calls `run` with `words`; completion and `/help` list the table. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  /** `[file]`, `<task>`. Default: none. */
  readonly arguments?: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Thrown errors are printed. */
  run(context: MenuContext, words: string): void | Promise<void>;
}

/** Every command of the conversation, in the order in which `/` lists them. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: 'model',
    arguments: '[name]',
    summary: 'choose the model of this conversation',
    run: async (context, words) => {
      const { openModels, takeNamedModel } = await import('./views/open-models.ts');
      if (words === '') openModels(context);
      else await takeNamedModel(context, words);
    },
  },
  {
    name: 'sessions',
    summary: 'continue an earlier conversation',
    run: async (context) => (await import('./views/open-sessions.ts')).openSessions(context),
  },
  {
    name: 'approvals',
    summary: 'answer the open questions of every run',
    run: async (context) => (await import('./views/open-approvals.ts')).openApprovals(context),
  },
  {
    name: 'runs',
    summary: 'follow, resume or cancel runs',
    run: async (context) => (await import('./views/open-runs.ts')).openRuns(context),
  },
  {
    name: 'capsules',
    summary: 'inspect, edit and check capsules',
    run: async (context) => (await import('./views/open-capsules.ts')).openCapsules(context),
  },
  {
    name: 'plan',
    arguments: '<task>',
    summary: 'show the plan of a task before it starts',
    run: ({ conversation }, words) => {
      if (words !== '') return conversation.start(words, { planFirst: true });
      throw usage('The task is missing. Type it after the command: /plan Fix the tests');
    },
  },
  {
    name: 'diff',
    arguments: '[file]',
    summary: 'show the latest changes',
    run: async (context, words) => {
      const { printDiff } = await import('./commands/print-diff.ts');
      const runId = await runOf(context);
      await printDiff(context, words === '' ? { runId } : { runId, file: words });
    },
  },
  {
    name: 'undo',
    summary: 'undo the latest changes (asks)',
    run: async (context) => {
      const { printUndo } = await import('./commands/print-undo.ts');
      await printUndo(context, await runOf(context));
    },
  },
  {
    name: 'cost',
    summary: 'show the cost of this conversation and of today',
    run: async (context) => (await import('./commands/print-cost.ts')).printCost(context),
  },
  {
    name: 'setup',
    summary: 'choose a provider and store its key',
    run: async (context) => (await import('./views/open-setup.ts')).openSetup(context),
  },
  {
    name: 'settings',
    summary: 'show the settings and their sources',
    run: async (context) => (await import('./commands/print-settings.ts')).printSettings(context),
  },
  {
    name: 'doctor',
    summary: 'check this machine and list what is missing',
    run: async (context) => (await import('./views/open-doctor.ts')).openDoctor(context),
  },
  {
    name: 'clear',
    summary: 'start a new session',
    run: ({ conversation }) => conversation.clear(),
  },
  { name: 'help', summary: 'list the commands and keys', run: (context) => printHelp(context) },
  { name: 'quit', summary: 'leave Capstan', run: ({ quit }) => quit() },
];

const runOf = async (context: MenuContext): Promise<string> =>
  (await import('./commands/run-of-conversation.ts')).runOfConversation(context);

function printHelp({ print, frame }: Parameters<SlashCommand['run']>[0]): void {
  const commands = slashCommands.map(
    ({ name, arguments: words = '', summary }) => [`/${name} ${words}`.trim(), summary] as const,
  );
  const marks = [['?', 'in an empty line: the keys'] as const, ['@', 'name a file'] as const];
  print(namedLines([...commands, ...marks], frame()).join('\n'));
}
