import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { byTopic, commandGroup } from '../../help/command-group.ts';
import { writeExport } from '../../io/write-file-atomic.ts';
import { standard } from '../../options/standard-options.ts';
import { counted, formatBytes } from '../../text/format.ts';
import { withCapstan } from '../../with-capstan.ts';
import { command as audit } from '../account/audit.ts';
import { command as cost } from '../account/cost.ts';
import { runsDiff } from '../changes/runs-diff.ts';
import { runsUndo } from '../changes/runs-undo.ts';
import { command as fork } from '../replay/fork.ts';
import { command as replay } from '../replay/replay.ts';
import { runsCancel, runsDelete, runsPrune } from './end-runs.ts';
import { command as resume } from './resume.ts';
import { runsList } from './runs-list.ts';
import { runsMessage } from './runs-message.ts';
import { runsShow } from './runs-show.ts';
import { runsFollow, runsLogs, runsWait } from './watch-run.ts';

const runsExport: CommandDefinition = {
  name: 'export',
  summary: 'Write a run to one file, for a replay on any machine',
  arguments: '<run>',
  options: { ...standard.out },
  examples: ['capstan runs export 9c41d07e', 'capstan runs export 9c41d07e --out bug.json'],
  run: withCapstan(async ({ capstan, io, named, text: option }) => {
    const { runId, text, attempts, requests } = await capstan.runs.export(named);
    const path = writeExport(text, option('out') ?? `run-${runId}.json`, io);
    if (path === undefined) return exitCodes.completed;
    io.stdout(`${path}\n`);
    const counts = `${counted(attempts, 'attempt')}, ${counted(requests, 'request')} with answers`;
    io.stderr(`${formatBytes(Buffer.byteLength(text))}: ${counts}. ${CONTENT}\n`);
    return exitCodes.completed;
  }),
};

const CONTENT = 'The file contains what the run read and wrote; known secrets are redacted.';

export const command = commandGroup('capstan runs', {
  summary: 'List, show, follow, undo, replay and delete runs',
  arguments: '[run]',
  argumentsNote: 'Name a run by the last 8 characters of its id. To read, `last` works too.',
  subcommands: byTopic({
    Inspect: [runsList, runsShow, runsLogs, runsFollow, runsWait, runsDiff, cost, audit],
    Change: [resume, runsCancel, runsUndo, runsMessage],
    Repeat: [replay, fork, runsExport],
    Delete: [runsDelete, runsPrune],
  }),
});
