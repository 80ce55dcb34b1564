import { resolve } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatBytes } from '../format.ts';
import { printJson } from '../print-json.ts';
import { writeWhole } from '../write-whole.ts';
import {
  type CapsulesHere,
  findCapsule,
  jsonOption,
  projectOptions,
  withCapsules,
} from './capsules-ground.ts';

export const capsulesExport: CommandDefinition = {
  name: 'export',
  summary: 'Write a capsule into one file, which `capsules import` reads anywhere; not its memory',
  arguments: '<id>',
  options: [
    {
      flags: '-o, --out <file>',
      description: 'where to (default: <id>.capsule.json; - is stdout)',
    },
    ...projectOptions,
    jsonOption,
  ],
  examples: ['capstan capsules export mine', 'capstan capsules export mine --out - > mine.json'],
  run: withCapsules(exportCapsule),
};

async function exportCapsule(here: CapsulesHere): Promise<number> {
  const { args, io } = here;
  const capsule = findCapsule(here);
  const { id } = capsule;
  const { text, sha256, files } = await pack(capsule);
  const out = String(args.options['out'] ?? `${id}.capsule.json`);
  if (out === '-') {
    io.stdout(text);
    return exitCodes.completed;
  }
  const path = resolve(io.cwd, out);
  writeWhole(path, text);
  const bytes = Buffer.byteLength(text);
  if (args.options['json'] === true) printJson(io, { exported: id, path, files, bytes, sha256 });
  else {
    io.stdout(`${path}\n`);
    io.stderr(`${formatBytes(bytes)}: ${files} files, SHA-256 ${sha256}\n`);
  }
  return exitCodes.completed;
}

async function pack(capsule: ReturnType<typeof findCapsule>) {
  const { packCapsule } = await import('../../registry/archive/capsule-archive.ts');
  try {
    return packCapsule(capsule);
  } catch (error) {
    const problem = `"${capsule.id}" can't be exported: ${messageOf(error)}`;
    throw new AppError('USAGE', { problem }, { cause: error });
  }
}
