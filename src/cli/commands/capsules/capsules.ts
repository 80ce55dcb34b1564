import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { capsulesCheck } from '../author/capsules-check.ts';
import { capsulesCompare } from '../author/capsules-compare.ts';
import { capsulesCreate } from '../author/capsules-create.ts';
import { capsulesDev } from '../author/capsules-dev.ts';
import { capsulesExport } from '../author/capsules-export.ts';
import { capsulesImport } from '../author/capsules-import.ts';
import { capsulesRewriteEntrypoints } from '../author/capsules-rewrite-entrypoints.ts';
import { capsulesTest } from '../author/capsules-test.ts';
import { capsulesDelete } from './capsules-delete.ts';
import { capsulesInspect } from './capsules-inspect.ts';
import { capsulesList } from './capsules-list.ts';
import { capsulesMemory } from './capsules-memory.ts';
import { capsulesPrompt } from './capsules-prompt.ts';
import { capsulesQuarantine } from './capsules-quarantine.ts';
import { capsulesRestore } from './capsules-restore.ts';

const subcommands: readonly CommandDefinition[] = [
  capsulesCreate,
  capsulesList,
  capsulesInspect,
  capsulesDelete,
  capsulesQuarantine,
  capsulesRestore,
  capsulesExport,
  capsulesImport,
  capsulesRewriteEntrypoints,
  capsulesMemory,
  capsulesPrompt,
  capsulesCheck,
  capsulesTest,
  capsulesDev,
  capsulesCompare,
];

export const command: CommandDefinition = {
  name: 'capsules',
  summary: 'Create, inspect, test and manage capsules',
  options: [],
  examples: ['capstan capsules list', 'capstan capsules inspect log-analyst'],
  subcommands,
  run: async (_args, io) => {
    const names = subcommands.map(({ name }) => name);
    const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    io.stderr(`capstan capsules: name a subcommand: ${list} (see \`capstan capsules --help\`)\n`);
    return exitCodes.usage;
  },
};
