import { commandGroup } from '../../help/command-group.ts';
import { standard } from '../../options/standard-options.ts';
import { createProgressLine } from '../../run/surfaces/progress-line.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';
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

async function pull({ capstan, io, named }: CommandContext): Promise<CommandResult> {
  const options = { unit: 'bytes', afterMs: 0, isInPipe: true } as const;
  const line = createProgressLine(io, 'all-MiniLM-L6-v2', options);
  const downloading = capstan.models.download(named, { onProgress: line.update });
  const { model, folder, isNew, isUsed } = await downloading.finally(line.end);
  if (!isUsed) io.stderr('To use it, set CAPSTAN_EMBEDDER=minilm (or `embedder: minilm`).\n');
  return {
    json: { model, folder, is_new: isNew },
    text: `${model} ${isNew ? 'is' : 'was already'} in ${folder}\n`,
  };
}
