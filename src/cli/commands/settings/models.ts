import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatBytes } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { createProgressLine } from '../../run/progress-line.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';
import { modelsCheck } from './models-check.ts';
import { modelsList } from './models-list.ts';

export const command: CommandDefinition = {
  name: 'models',
  summary: 'List and check language models, and download an embedding model',
  options: [],
  examples: ['capstan models list', 'capstan models check', 'capstan models pull minilm'],
  subcommands: [
    modelsList,
    modelsCheck,
    {
      name: 'pull',
      summary: 'Download all-MiniLM-L6-v2 (23 MB); an interrupted download continues',
      arguments: '<model>',
      options: [{ flags: '--json', description: 'print JSON' }],
      examples: ['capstan models pull minilm', 'CAPSTAN_EMBEDDER=minilm capstan route "…"'],
      run: withCapstan(pull),
    },
  ],
  run: async (_args, io) => {
    io.stderr(
      'capstan models: name a subcommand: list, check or pull (see `capstan models --help`)\n',
    );
    return exitCodes.usage;
  },
};

async function pull({ capstan, args, io }: CommandContext): Promise<number> {
  const line = createProgressLine(io, 'all-MiniLM-L6-v2', 0);
  try {
    const { model, folder, isNew, isUsed } = await capstan.models.download(
      args.positionals[0] ?? '',
      {
        onProgress: (received, total) =>
          line.update(received, total, `${formatBytes(received)} of ${formatBytes(total)}`),
      },
    );
    line.end();
    if (args.options['json'] === true) printJson(io, { model, folder, is_new: isNew });
    else io.stdout(`${model} ${isNew ? 'is' : 'was already'} in ${folder}\n`);
    if (!isUsed) io.stderr('To use it, set CAPSTAN_EMBEDDER=minilm (or `embedder: minilm`).\n');
    return exitCodes.completed;
  } finally {
    line.end();
  }
}
