import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { runsDiff } from '../changes/runs-diff.ts';
import { runsUndo } from '../changes/runs-undo.ts';
import { runsCancel } from './runs-cancel.ts';
import { runsDelete } from './runs-delete.ts';
import { runsExport } from './runs-export.ts';
import { runsFollow } from './runs-follow.ts';
import { runsList } from './runs-list.ts';
import { runsLogs } from './runs-logs.ts';
import { runsMessage } from './runs-message.ts';
import { runsPrune } from './runs-prune.ts';
import { runsShow } from './runs-show.ts';

const subcommands: readonly CommandDefinition[] = [
  runsList,
  runsShow,
  runsLogs,
  runsFollow,
  runsMessage,
  runsCancel,
  runsDiff,
  runsUndo,
  runsExport,
  runsDelete,
  runsPrune,
];

export const command: CommandDefinition = {
  name: 'runs',
  summary: 'Show, follow, message, cancel and delete runs',
  options: [],
  examples: ['capstan runs list', 'capstan runs follow last', 'capstan runs prune --dry-run'],
  subcommands,
  run: async (_args, io) => {
    const names = subcommands.map(({ name }) => name);
    const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    io.stderr(`capstan runs: name a subcommand: ${list} (see \`capstan runs --help\`)\n`);
    return exitCodes.usage;
  },
};
