import type { RestoredCapsule } from '../../../app/capsules/share/archive-capsule.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { capsuleOptionsOf, projectOptions } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesRestore: CommandDefinition = {
  name: 'restore',
  topic: 'Manage',
  brief: 'take it back',
  summary: 'Restore a capsule from quarantine, or a deleted one from the archive',
  arguments: '<capsule>',
  options: [...projectOptions, standard.json],
  examples: ['capstan capsules restore mine'],
  run: withCapstan(async ({ capstan, args, io }) => {
    const [named = ''] = args.positionals;
    const restored = await capstan.capsules.restore(named, capsuleOptionsOf({ args, io }));
    if (args.options['json'] === true) printJson(io, documentOf(restored));
    else io.stdout(textOf(restored));
    return exitCodes.completed;
  }),
};

const documentOf = ({ id, from, ...where }: RestoredCapsule) => ({
  restored: from === null ? null : id,
  from,
  ...where,
});

function textOf(restored: RestoredCapsule): string {
  const { id, from } = restored;
  if (from === 'archive') return `"${id}" was restored from the archive: ${restored.dir}\n`;
  return from === null
    ? `"${id}" is not quarantined.\n`
    : `"${id}" was restored from quarantine.\n`;
}
