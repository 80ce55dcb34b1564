import { commandGroup } from '../../help/command-group.ts';
import { command as audit } from '../account/audit.ts';
import { command as cost } from '../account/cost.ts';
import { runsDiff } from '../changes/runs-diff.ts';
import { runsUndo } from '../changes/runs-undo.ts';
import { command as fork } from '../replay/fork.ts';
import { command as replay } from '../replay/replay.ts';
import { runsCancel, runsDelete, runsPrune } from './end-runs.ts';
import { command as resume } from './resume.ts';
import { runsExport } from './runs-export.ts';
import { runsList } from './runs-list.ts';
import { runsMessage } from './runs-message.ts';
import { runsShow } from './runs-show.ts';
import { runsFollow, runsLogs, runsWait } from './watch-run.ts';

export const command = commandGroup('capstan runs', {
  topic: 'Work',
  summary: 'List, show, follow, compare, undo and clear runs',
  arguments: '[run]',
  argumentsNote: 'run: end of its id; to read, also last',
  subcommands: [
    runsList,
    runsShow,
    runsLogs,
    runsFollow,
    runsWait,
    runsDiff,
    cost,
    audit,
    { ...resume, topic: 'Change' },
    runsCancel,
    runsUndo,
    runsMessage,
    replay,
    fork,
    runsExport,
    runsDelete,
    runsPrune,
  ],
});
