import type { CommandDefinition } from '../../command.ts';
import { formatTable } from '../../format.ts';
import { capsuleOptionsOf } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesRewriteEntrypoints: CommandDefinition = {
  name: 'rewrite-entrypoints',
  topic: 'Manage',
  brief: 'bring them up to date',
  summary: 'Update the entrypoints of your own capsules to the current form',
  options: [standard.json],
  examples: ['capstan capsules rewrite-entrypoints'],
  run: withCapstan(async (context) => {
    const results = await context.capstan.capsules.rewriteEntrypoints(capsuleOptionsOf(context));
    const rows = results.map(({ id, outcome }) => [id, wordsFor[outcome]]);
    const none = 'You have no capsules of your own.\n';
    return { json: results, text: rows.length === 0 ? none : formatTable(rows) };
  }),
};

const wordsFor = {
  rewritten: 'updated',
  current: 'already current',
  own: 'skipped: custom entrypoint',
} as const;
