import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatBytes } from '../../format.ts';
import { writeExport } from '../../io/write-export.ts';
import { capsuleOptionsOf } from '../../options/capsule-options.ts';
import { projectOptions, standard } from '../../options/standard-options.ts';
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
  run: withCapstan(async (context) => {
    const { capstan, io, named, isJson, text: option } = context;
    const exported = await capstan.capsules.export(named, capsuleOptionsOf(context));
    const { id, text, sha256, files } = exported;
    const path = writeExport(text, option('out') ?? `${id}.capsule.json`, io);
    if (path === undefined) return exitCodes.completed;
    const bytes = Buffer.byteLength(text);
    if (!isJson) io.stderr(`${formatBytes(bytes)}: ${files} files, SHA-256 ${sha256}\n`);
    return { json: { exported: id, path, files, bytes, sha256 }, text: `${path}\n` };
  }),
};
