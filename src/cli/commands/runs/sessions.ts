import type { Session } from '../../../app/sessions/sessions-api.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatTable } from '../../format.ts';
import { commandGroup } from '../../help/command-group.ts';
import { printJson } from '../../io/print-json.ts';
import { sessionColumns } from '../../lists/columns/session-columns.ts';
import { printList } from '../../lists/print-list.ts';
import { allFolders, folderOption, noneText } from '../../options/folder-option.ts';
import { limitOption } from '../../options/limit-option.ts';
import { standard } from '../../options/standard-options.ts';
import { outcomeText } from '../../run/surfaces/outcome-text.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

const sessionsList: CommandDefinition = {
  name: 'list',
  topic: 'Look',
  brief: 'conversations of this folder',
  summary: 'List the sessions of this folder, newest first',
  options: [standard.limit, standard.workspace, allFolders, standard.json],
  examples: ['capstan sessions list', 'capstan sessions list --all --json'],
  run: withCapstan(list),
};

const sessionsShow: CommandDefinition = {
  name: 'show',
  topic: 'Look',
  brief: 'its tasks and answers',
  summary: 'Show the tasks and answers of one session',
  arguments: '<session>',
  options: [standard.json],
  examples: ['capstan sessions show last', 'capstan sessions show 9c41d07e --json'],
  run: withCapstan(show),
};

export const command = commandGroup('capstan sessions', {
  topic: 'Work',
  summary: 'List and show conversations',
  subcommands: [sessionsList, sessionsShow],
});

async function list(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const workspace = folderOption(context);
  const sessions = await capstan.sessions.list({
    limit: limitOption(args.options['limit']),
    workspace,
  });
  if (args.options['json'] === true) {
    const documents = sessions.map(({ id, createdAt, newestAt, ...session }) => ({
      session_id: id,
      ...session,
      created_at: createdAt,
      newest_at: newestAt,
    }));
    printJson(io, documents);
    return exitCodes.completed;
  }
  if (sessions.length === 0) io.stdout(noneText('sessions', workspace));
  else await printList(sessions, sessionColumns(workspace === undefined), { io });
  return exitCodes.completed;
}

async function show({ capstan, args, io }: CommandContext): Promise<number> {
  const session = await capstan.sessions.get(args.positionals[0] ?? '');
  if (args.options['json'] === true) printJson(io, sessionDocument(session));
  else io.stdout(sessionText(session));
  return exitCodes.completed;
}

const sessionDocument = ({ id, runs }: Session) => ({
  session_id: id,
  runs: runs.map((run) => ({
    run_id: run.id,
    status: run.status,
    reason: run.reason,
    task: run.task,
    answer: run.answer,
    workspace: run.workspace,
    created_at: run.createdAt,
    ended_at: run.endedAt,
  })),
});

/** A session with its tasks and answers. All text is escaped. */
export function sessionText({ id, runs }: Session): string {
  const turns = runs.map((run) => {
    const facts = formatTable([
      ['run', `${shortId(run.id)}, ${minuteOf(run.createdAt)}`],
      ['status', outcomeText(run, 0)],
      ['workspace', escapeText(run.workspace)],
      ['task', escapeText(run.task, true)],
    ]);
    return `\n${facts}${run.answer ? `\n${escapeText(run.answer, true)}\n` : ''}`;
  });
  return `session ${shortId(id)}\n${turns.join('')}`;
}

const minuteOf = (moment: string): string => moment.slice(0, 16).replace('T', ' ');
