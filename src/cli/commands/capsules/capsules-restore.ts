import type { RestoredCapsule } from '../../../app/capsules/share/restore-capsule.ts';
import type { CommandDefinition } from '../../command.ts';
import { capsuleOptionsOf } from '../../options/capsule-options.ts';
import { projectOptions, standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesRestore: CommandDefinition = {
  name: 'restore',
  topic: 'Manage',
  brief: 'take it back',
  summary: 'Restore a capsule from quarantine, or a deleted one from the archive',
  arguments: '<capsule>',
  options: [...projectOptions, standard.json],
  examples: ['capstan capsules restore mine'],
  run: withCapstan(async (context) => {
    const { capstan, named } = context;
    const restored = await capstan.capsules.restore(named, capsuleOptionsOf(context));
    const { id, from, ...where } = restored;
    const json = { restored: from === null ? null : id, from, ...where };
    return { json, text: textOf(restored) };
  }),
};

function textOf(restored: RestoredCapsule): string {
  const { id, from } = restored;
  if (from === 'archive') return `"${id}" was restored from the archive: ${restored.dir}\n`;
  return from === null
    ? `"${id}" is not quarantined.\n`
    : `"${id}" was restored from quarantine.\n`;
}
