import { resolve } from 'node:path';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { AppError } from '../../contract/errors.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatBytes } from '../format.ts';
import { readRecordingSource } from '../recording-source.ts';
import { writeWhole } from '../write-whole.ts';

export const runsExport: CommandDefinition = {
  name: 'export',
  summary: 'Write all that a run was made of into one file, which `capstan replay` reads anywhere',
  arguments: '<run>',
  options: [
    { flags: '-o, --out <file>', description: 'where to (default: run-<id>.json; - is stdout)' },
  ],
  examples: ['capstan runs export 0199', 'capstan runs export 0199 --out bug.json'],
  run: exportRun,
};

async function exportRun(args: CommandArguments, io: CommandIo): Promise<number> {
  const { recording } = await readRecordingSource(args.positionals[0] ?? '', io);
  const { id, status } = recording.run;
  if (status === 'running' || status === 'pending') {
    throw new AppError('USAGE', { problem: `Run ${id} is still running.` });
  }
  const text = await asText(recording, io);
  const out = String(args.options['out'] ?? `run-${id}.json`);
  if (out === '-') {
    io.stdout(text);
    return exitCodes.completed;
  }
  const path = resolve(io.cwd, out);
  writeWhole(path, text);
  io.stdout(`${path}\n`);
  const size = formatBytes(Buffer.byteLength(text));
  const { intents, attempts } = recording;
  io.stderr(
    `${size}: ${attempts.length} attempts, ${intents.length} requests with their answers. It holds what the run read and wrote; known secrets were taken out.\n`,
  );
  return exitCodes.completed;
}

async function asText(
  recording: Awaited<ReturnType<typeof readRecordingSource>>['recording'],
  { environment, cwd }: CommandIo,
): Promise<string> {
  const { writeRecording } = await import('../../history/replay/recording-file.ts');
  const { openConfiguredApis } = await import('../../app/wiring/open-configured-apis.ts');
  const { redactorFor } = await import('../../app/wiring/known-secrets.ts');
  const { settings } = await loadSettings({ environment, cwd, installFolder: installFolder() });
  const { services } = await openConfiguredApis(settings);
  return writeRecording(recording, redactorFor(settings, services));
}
