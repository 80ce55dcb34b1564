import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { capsulesCheck } from './capsules-check.ts';
import { capsulesCompare } from './capsules-compare.ts';
import { capsulesCreate } from './capsules-create.ts';
import { capsulesDelete } from './capsules-delete.ts';
import { capsulesDev } from './capsules-dev.ts';
import { capsulesExport } from './capsules-export.ts';
import { capsulesImport } from './capsules-import.ts';
import { capsulesInspect } from './capsules-inspect.ts';
import { capsulesList } from './capsules-list.ts';
import { capsulesMemory } from './capsules-memory.ts';
import { capsulesPrompt } from './capsules-prompt.ts';
import { capsulesQuarantine } from './capsules-quarantine.ts';
import { capsulesRestore } from './capsules-restore.ts';
import { capsulesRewriteEntrypoints } from './capsules-rewrite-entrypoints.ts';
import { capsulesTest } from './capsules-test.ts';

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
