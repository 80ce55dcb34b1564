import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { isAgreed } from '../../io/confirm.ts';
import { projectOptions, standard } from '../../options/standard-options.ts';
import { formatTable } from '../../text/format.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesQuarantine: CommandDefinition = {
  name: 'quarantine',
  summary: 'Exclude a capsule from routing until restored',
  arguments: '<capsule>',
  options: {
    '--reason <text>': 'the reason, for the record',
    ...projectOptions,
    ...standard.json,
  },
  examples: ['capstan capsules quarantine mine --reason "it invents figures"'],
  run: withCapstan(async ({ capstan, named, text, capsuleOptions }) => {
    const options = { ...capsuleOptions, reason: text('reason') };
    const { id, reason } = await capstan.capsules.quarantine(named, options);
    return {
      json: { quarantined: id, reason },
      text: `"${escapeText(id)}" is quarantined: it gets no tasks. Undo: capstan capsules restore ${id}\n`,
    };
  }),
};

export const capsulesRestore: CommandDefinition = {
  name: 'restore',
  summary: 'Restore a quarantined or deleted capsule',
  arguments: '<capsule>',
  options: { ...projectOptions, ...standard.json },
  examples: ['capstan capsules restore mine'],
  run: withCapstan(async ({ capstan, named, capsuleOptions }) => {
    const restored = await capstan.capsules.restore(named, capsuleOptions);
    const { id, from, ...where } = restored;
    const json = { restored: from === null ? null : id, from, ...where };
    const place = from === 'archive' ? `the archive: ${restored.dir}` : 'quarantine.';
    const text = from === null ? 'is not quarantined.' : `was restored from ${place}`;
    return { json, text: `"${id}" ${text}\n` };
  }),
};

export const capsulesDelete: CommandDefinition = {
  name: 'delete',
  summary: 'Move one of your capsules to the archive',
  arguments: '<capsule>',
  options: { ...standard.yes, ...standard.json },
  examples: ['capstan capsules delete mine', 'capstan capsules delete mine --yes'],
  run: withCapstan(async (context) => {
    const { capstan, named: id, capsuleOptions: options } = context;
    await capstan.capsules.assertArchivable(id, options);
    if (!(await isAgreed(context, `Delete the capsule "${id}"?`, 'Nothing was deleted.')))
      return exitCodes.failed;
    const { kept } = await capstan.capsules.archive(id, { ...options, onNotice: undefined });
    return {
      json: { deleted: id, kept },
      text: `Deleted "${id}". Its files are in ${kept}. Undo: capstan capsules restore ${id}\n`,
    };
  }),
};

export const capsulesRewriteEntrypoints: CommandDefinition = {
  name: 'rewrite-entrypoints',
  summary: 'Update the entrypoints of your own capsules',
  options: { ...standard.json },
  examples: ['capstan capsules rewrite-entrypoints'],
  run: withCapstan(async ({ capstan, capsuleOptions }) => {
    const results = await capstan.capsules.rewriteEntrypoints(capsuleOptions);
    const rows = results.map(({ id, outcome }) => [id, wordsFor[outcome]]);
    return { json: results, text: formatTable(rows) || 'You have no capsules of your own.\n' };
  }),
};

const wordsFor = {
  rewritten: 'updated',
  current: 'already current',
  own: 'skipped: custom entrypoint',
} as const;
