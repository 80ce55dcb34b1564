import type { Session } from '../../../app/sessions/sessions-api.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { commandGroup } from '../../help/command-group.ts';
import { sessionColumns } from '../../lists/columns/session-columns.ts';
import { listText } from '../../lists/list-text.ts';
import {
  allFolders,
  folderOption,
  limitOption,
  noneText,
  standard,
} from '../../options/standard-options.ts';
import { outcomeText } from '../../run/surfaces/outcome-text.ts';
import { formatTable } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { withCapstan } from '../../with-capstan.ts';

export const command = commandGroup('capstan sessions', {
  summary: 'List and show conversations',
  subcommands: [
    {
      name: 'list',
      summary: 'List the sessions of this folder, newest first',
      options: { ...standard.limit, ...standard.workspace, ...allFolders, ...standard.json },
      examples: ['capstan sessions list', 'capstan sessions list --all --json'],
      run: withCapstan(async (context) => {
        const workspace = folderOption(context);
        const limit = limitOption(context.args.options['limit']);
        const sessions = await context.capstan.sessions.list({ limit, workspace });
        const shown = { io: context.io, none: noneText('sessions', workspace) };
        return {
          json: sessions.map(({ id, ...one }) => ({ session_id: id, ...withDocumentKeys(one) })),
          text: await listText(sessions, sessionColumns(workspace === undefined), shown),
        };
      }),
    },
    {
      name: 'show',
      summary: 'Show the tasks and answers of one session',
      arguments: '<session>',
      options: { ...standard.json },
      examples: ['capstan sessions show last', 'capstan sessions show 9c41d07e --json'],
      run: withCapstan(async ({ capstan, named }) => {
        const session = await capstan.sessions.get(named);
        const runs = session.runs.map(({ id, ...run }) => ({
          run_id: id,
          ...withDocumentKeys(run),
        }));
        return { json: { session_id: session.id, runs }, text: sessionText(session) };
      }),
    },
  ],
});

/** A session with its tasks and answers. All text is escaped. */
export function sessionText({ id, runs }: Session): string {
  const turns = runs.map((run) => {
    const facts = formatTable([
      ['run', `${shortId(run.id)}, ${run.createdAt.slice(0, 16).replace('T', ' ')}`],
      ['status', outcomeText(run, 0)],
      ['workspace', escapeText(run.workspace)],
      ['task', escapeText(run.task, true)],
      ...run.messages.map((text): [string, string] => ['you said', escapeText(text, true)]),
    ]);
    return `\n${facts}${run.answer ? `\n${escapeText(run.answer, true)}\n` : ''}`;
  });
  return `session ${shortId(id)}\n${turns.join('')}`;
}
