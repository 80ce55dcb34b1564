import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { capsulesDelete } from './capsules-delete.ts';
import { capsulesInspect } from './capsules-inspect.ts';
import { capsulesList } from './capsules-list.ts';
import { capsulesRewriteEntrypoints } from './capsules-rewrite-entrypoints.ts';

const subcommands: readonly CommandDefinition[] = [
  capsulesList,
  capsulesInspect,
  capsulesDelete,
  capsulesRewriteEntrypoints,
];

export const command: CommandDefinition = {
  name: 'capsules',
  summary: 'Look at the capsules there are, and tend your own',
  options: [],
  examples: ['capstan capsules list', 'capstan capsules inspect log-analyst'],
  subcommands,
  run: async (_args, io) => {
    const names = subcommands.map(({ name }) => name);
    const said = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    io.stderr(`capstan capsules: say ${said} (see \`capstan capsules --help\`)\n`);
    return exitCodes.usage;
  },
};
