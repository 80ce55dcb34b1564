import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatBytes } from '../../format.ts';
import { writeExport } from '../../io/write-file-atomic.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsExport: CommandDefinition = {
  name: 'export',
  topic: 'Again',
  brief: 'as file',
  summary: 'Write a run to one file, which `capstan runs replay` reads on any machine',
  arguments: '<run>',
  options: { ...standard.out },
  examples: ['capstan runs export 9c41d07e', 'capstan runs export 9c41d07e --out bug.json'],
  run: withCapstan(async ({ capstan, io, named, text: option }) => {
    const { runId, text, attempts, requests } = await capstan.runs.export(named);
    const path = writeExport(text, option('out') ?? `run-${runId}.json`, io);
    if (path === undefined) return exitCodes.completed;
    io.stdout(`${path}\n`);
    const size = formatBytes(Buffer.byteLength(text));
    io.stderr(
      `${size}: ${attempts} attempts, ${requests} requests with their answers. The file contains what the run read and wrote; known secrets are redacted.\n`,
    );
    return exitCodes.completed;
  }),
};
