import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { shorten } from '../shorten.ts';
import { type CapsulesHere, jsonOption, projectOptions, withCapsules } from './capsules-ground.ts';
import { summaryOf } from './capsules-inspect.ts';

export const capsulesList: CommandDefinition = {
  name: 'list',
  summary: 'List capsules: those that ship, your own, and a trusted project’s',
  options: [...projectOptions, jsonOption],
  examples: ['capstan capsules list', 'capstan capsules list --json'],
  run: withCapsules(list),
};

function list({ capsules, args, io }: CapsulesHere): number {
  if (args.options['json'] === true) {
    printJson(io, capsules.map(summaryOf));
    return exitCodes.completed;
  }
  const rows = capsules.map(({ id, origin, manifest }) => [
    id,
    origin,
    manifest.task_kinds.map(({ mode }) => mode).join(', '),
    shorten(manifest.description, 80),
  ]);
  io.stdout(formatTable([['capsule', 'origin', 'works as', 'for'], ...rows]));
  return exitCodes.completed;
}
