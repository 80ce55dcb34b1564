import { exitCodes } from '../../errors/exit-codes.ts';
import { commandGroup } from '../../help/command-group.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { createProgressLine } from '../../run/surfaces/progress-line.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';
import { modelsCheck } from './models-check.ts';
import { modelsList } from './models-list.ts';

export const command = commandGroup('capstan models', {
  topic: 'Set up',
  summary: 'List and check models',
  subcommands: [
    modelsList,
    modelsCheck,
    {
      name: 'pull',
      topic: 'Get',
      brief: 'download an embedding model',
      summary: 'Download all-MiniLM-L6-v2 (23 MB); an interrupted download continues',
      arguments: '<model>',
      options: [standard.json],
      examples: [
        'capstan models pull minilm',
        'CAPSTAN_EMBEDDER=minilm capstan capsules route "…"',
      ],
      run: withCapstan(pull),
    },
  ],
});

async function pull({ capstan, args, io }: CommandContext): Promise<number> {
  const line = createProgressLine(io, 'all-MiniLM-L6-v2', {
    unit: 'bytes',
    afterMs: 0,
    isInPipe: true,
  });
  try {
    const { model, folder, isNew, isUsed } = await capstan.models.download(
      args.positionals[0] ?? '',
      { onProgress: line.update },
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
