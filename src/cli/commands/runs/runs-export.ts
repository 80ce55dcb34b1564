import { resolve } from 'node:path';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatBytes } from '../../format.ts';
import { terminalJson } from '../../io/print-json.ts';
import { writeFileAtomic } from '../../io/write-file-atomic.ts';
import { standard } from '../../options/standard-options.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const runsExport: CommandDefinition = {
  name: 'export',
  topic: 'Again',
  brief: 'as file',
  summary: 'Write a run to one file, which `capstan runs replay` reads on any machine',
  arguments: '<run>',
  options: [standard.out],
  examples: ['capstan runs export 9c41d07e', 'capstan runs export 9c41d07e --out bug.json'],
  run: withCapstan(exportRun),
};

async function exportRun({ capstan, args, io }: CommandContext): Promise<number> {
  const { runId, text, attempts, requests } = await capstan.runs.export(args.positionals[0] ?? '');
  const out = String(args.options['out'] ?? `run-${runId}.json`);
  if (out === '-') {
    io.stdout(io.isOutputTerminal ? terminalJson(text) : text);
    return exitCodes.completed;
  }
  const path = resolve(io.cwd, out);
  writeFileAtomic(path, text);
  io.stdout(`${path}\n`);
  const size = formatBytes(Buffer.byteLength(text));
  io.stderr(
    `${size}: ${attempts} attempts, ${requests} requests with their answers. The file contains what the run read and wrote; known secrets are redacted.\n`,
  );
  return exitCodes.completed;
}
