import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
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
  run: withCapstan(async ({ capstan, args, io }) => {
    const results = await capstan.capsules.rewriteEntrypoints(capsuleOptionsOf({ args, io }));
    if (args.options['json'] === true) printJson(io, results);
    else if (results.length === 0) io.stdout('You have no capsules of your own.\n');
    else io.stdout(formatTable(results.map(({ id, outcome }) => [id, wordsFor[outcome]])));
    return exitCodes.completed;
  }),
};

const wordsFor = {
  rewritten: 'updated',
  current: 'already current',
  own: 'skipped: custom entrypoint',
} as const;
