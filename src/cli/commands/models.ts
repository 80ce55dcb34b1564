import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { makePlaces } from '../../config/places.ts';
import { AppError } from '../../contract/errors.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatBytes } from '../format.ts';
import { printJson } from '../print-json.ts';
import { createProgressLine } from '../progress-line.ts';

export const command: CommandDefinition = {
  name: 'models',
  summary: 'Fetch the model of an embedder that is not built in',
  options: [],
  examples: ['capstan models pull minilm'],
  subcommands: [
    {
      name: 'pull',
      summary: 'Download all-MiniLM-L6-v2 (23 MB) into the cache folder; a cut download goes on',
      arguments: '<model>',
      options: [{ flags: '--json', description: 'print JSON' }],
      examples: ['capstan models pull minilm', 'CAPSTAN_EMBEDDER=minilm capstan route "…"'],
      run: pull,
    },
  ],
  run: async (_args, io) => {
    io.stderr('capstan models: say pull (see `capstan models --help`)\n');
    return exitCodes.usage;
  },
};

async function pull({ positionals, options }: CommandArguments, io: CommandIo): Promise<number> {
  const [model] = positionals;
  if (model !== 'minilm') {
    const problem = `There is no model "${model ?? ''}" to download. Say minilm; static-en-256 is built in.`;
    throw new AppError('USAGE', { problem });
  }
  const { environment, cwd } = io;
  const { settings } = await loadSettings({ environment, cwd, installFolder: installFolder() });
  makePlaces(settings.places);
  const { fetchMiniLm } = await import('../../app/wiring/fetch-model.ts');
  const line = createProgressLine(io, 'all-MiniLM-L6-v2', 0);
  try {
    const { folder, isNew } = await fetchMiniLm(settings, ({ receivedBytes, totalBytes = 0 }) =>
      line.tell(
        receivedBytes,
        totalBytes,
        `${formatBytes(receivedBytes)} of ${formatBytes(totalBytes)}`,
      ),
    );
    line.end();
    if (options['json'] === true)
      printJson(io, { model: 'all-MiniLM-L6-v2', folder, is_new: isNew });
    else io.stdout(`all-MiniLM-L6-v2 ${isNew ? 'is' : 'was already'} in ${folder}\n`);
    if (settings.embedder !== 'minilm')
      io.stderr('It is used where CAPSTAN_EMBEDDER=minilm (or `embedder: minilm`) is set.\n');
    return exitCodes.completed;
  } finally {
    line.end();
  }
}
