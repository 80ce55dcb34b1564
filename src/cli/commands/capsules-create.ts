import type { CapsuleProposal } from '../../app/capsules/propose-capsule.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { adviseOnField } from '../advise-on-field.ts';
import { capsuleOptionsOf, jsonOption, textOption } from '../capsule-options.ts';
import type { CommandDefinition } from '../command.ts';
import { confirm } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { createProgressLine } from '../progress-line.ts';
import { answersAt } from '../trial-options.ts';
import { type CommandContext, withCapstan } from '../with-capstan.ts';

export const capsulesCreate: CommandDefinition = {
  name: 'create',
  summary: 'Create a capsule from a description of what it does',
  arguments: '<description...>',
  options: [
    { flags: '--id <id>', description: 'its id (default: made from its name)' },
    { flags: '--name <name>', description: 'its name (default: made from the description)' },
    { flags: '--role <text>', description: 'how it works, for the top of its overlay' },
    {
      flags: '--skills <ids>',
      description: 'skills, separated by commas (default: those that fit)',
    },
    {
      flags: '--tools <names>',
      description: 'tools, separated by commas (default: those that fit)',
    },
    { flags: '--provider <name>', description: 'whose model describes it (offline: no model)' },
    { flags: '--model <name>', description: "the provider's model" },
    {
      flags: '--budget-usd <amount>',
      description: 'the most that the model may cost; giving it is the consent',
    },
    { flags: '--anyway', description: 'create it even if another capsule does nearly the same' },
    { flags: '-y, --yes', description: 'do not ask' },
    jsonOption,
  ],
  examples: [
    'capstan capsules create Look for spelling mistakes in Markdown files',
    'capstan capsules create "Ask our SQLite databases about sales" --id sales-analyst --tools sql_query',
  ],
  run: withCapstan(create),
};

async function create(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const proposal = await propose(context);
  const { manifest, twin, modelProblem } = proposal;
  if (modelProblem !== undefined)
    io.stderr(`note: the model did not describe it (${modelProblem}); its words do.\n`);
  if (twin && args.options['anyway'] !== true) return offer(context, twin);
  io.stderr(proposalText(proposal));
  const question = `Create the capsule "${manifest.id}"?`;
  if (args.options['yes'] !== true && !(await confirm(question, io))) {
    io.stderr('Nothing was created.\n');
    return exitCodes.failed;
  }
  const { id, dir } = await capstan.capsules.create(proposal, capsuleOptionsOf({ args, io }));
  if (args.options['json'] === true) printJson(io, { created: id, dir, twin: null });
  else
    io.stdout(
      `Created "${id}": ${dir}\nIt works with a language model: capstan run --capsule ${id} "…"\n`,
    );
  return exitCodes.completed;
}

async function propose({ capstan, args, io }: CommandContext): Promise<CapsuleProposal> {
  const { id, name, role, skills, tools } = args.options;
  const progress = createProgressLine(io, 'Embedding what capsules are for');
  const proposing = capstan.capsules.propose(args.positionals.join(' '), {
    ...capsuleOptionsOf({ args, io }),
    id: textOption(id),
    name: textOption(name),
    role: textOption(role),
    skills: listOption(skills),
    tools: listOption(tools),
    onEvent: answersAt(io, capstan),
    onProgress: progress.tell,
  });
  try {
    return await adviseOnField(proposing, { id: 'Choose another one, or leave --id out.' });
  } finally {
    progress.end();
  }
}

const listOption = (given: unknown): string[] | undefined =>
  textOption(given)
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** Offers the capsule that does nearly the same. */
function offer(
  { args, io }: CommandContext,
  { id, score }: NonNullable<CapsuleProposal['twin']>,
): number {
  if (args.options['json'] === true) {
    printJson(io, { created: null, twin: { id, score } });
    return exitCodes.failed;
  }
  io.stderr(
    `"${id}" does nearly this already (score ${score.toFixed(2)}). Nothing was created.\n` +
      `Look at it: capstan capsules inspect ${id}. Create a new one all the same: --anyway\n`,
  );
  return exitCodes.failed;
}

/** The whole manifest and overlay, as the gate of a run shows them. */
const proposalText = ({ manifest, overlay }: CapsuleProposal): string =>
  [
    ['manifest.json', JSON.stringify(manifest, undefined, 2)],
    ['skill.md', overlay],
  ]
    .map(([name = '', text = '']) => {
      const lines = escapeText(text.trimEnd(), true).replace(/^/gm, '  │ ');
      return `${name}\n${lines}\n\n`;
    })
    .join('');
