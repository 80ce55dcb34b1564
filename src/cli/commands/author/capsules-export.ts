import { resolve } from 'node:path';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatBytes } from '../../format.ts';
import { printJson, terminalJson } from '../../io/print-json.ts';
import { writeFileAtomic } from '../../io/write-file-atomic.ts';
import { capsuleOptionsOf, projectOptions } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesExport: CommandDefinition = {
  name: 'export',
  topic: 'Share',
  brief: 'to one file',
  summary:
    'Write a capsule (its id or folder), without its memory, to one file for `capsules import`',
  arguments: '<capsule>',
  options: [standard.out, ...projectOptions, standard.json],
  examples: [
    'capstan capsules export mine',
    'capstan capsules export ./agents/mine --out - > mine.json',
  ],
  run: withCapstan(async ({ capstan, args, io }) => {
    const [named = ''] = args.positionals;
    const exported = await capstan.capsules.export(named, capsuleOptionsOf({ args, io }));
    const { id, text, sha256, files } = exported;
    const out = String(args.options['out'] ?? `${id}.capsule.json`);
    if (out === '-') {
      io.stdout(io.isOutputTerminal ? terminalJson(text) : text);
      return exitCodes.completed;
    }
    const path = resolve(io.cwd, out);
    writeFileAtomic(path, text);
    const bytes = Buffer.byteLength(text);
    if (args.options['json'] === true) printJson(io, { exported: id, path, files, bytes, sha256 });
    else {
      io.stdout(`${path}\n`);
      io.stderr(`${formatBytes(bytes)}: ${files} files, SHA-256 ${sha256}\n`);
    }
    return exitCodes.completed;
  }),
};
