import type { CapsuleProposal } from '../../../app/capsules/create/propose-capsule.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { adviseOnField } from '../../errors/advise-on-field.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../io/confirm.ts';
import { printJson } from '../../io/print-json.ts';
import { capsuleOptionsOf } from '../../options/capsule-options.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';
import { answersAt } from '../../options/trial-options.ts';
import { createProgressLine } from '../../run/surfaces/progress-line.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const capsulesCreate: CommandDefinition = {
  name: 'create',
  topic: 'Make',
  brief: 'from a description',
  summary: 'Create a capsule from a description of what it does',
  arguments: '<description...>',
  options: [
    { flags: '--id <id>', description: 'its id (default: derived from its name)' },
    { flags: '--name <name>', description: 'its name (default: derived from the description)' },
    { flags: '--role <text>', description: 'how it works, as the first lines of its overlay' },
    {
      flags: '--skills <ids>',
      description: 'comma-separated skills (default: chosen from the description)',
    },
    {
      flags: '--tools <names>',
      description: 'comma-separated tools (default: chosen from the description)',
    },
    standard.provider,
    standard.model,
    standard.budget,
    { flags: '--anyway', description: 'create it even if another capsule does almost the same' },
    standard.yes,
    standard.json,
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
    io.stderr(
      `note: the model wrote no manifest (${modelProblem}); it was derived from the description.\n`,
    );
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
      `Created "${id}": ${dir}\nIt needs a language model: capstan run --capsule ${id} "…"\n`,
    );
  return exitCodes.completed;
}

async function propose({ capstan, args, io }: CommandContext): Promise<CapsuleProposal> {
  const { id, name, role, skills, tools } = args.options;
  const progress = createProgressLine(io, 'Embedding capsules');
  const proposing = capstan.capsules.propose(args.positionals.join(' '), {
    ...capsuleOptionsOf({ args, io }),
    id: textOption(id),
    name: textOption(name),
    role: textOption(role),
    skills: listOption(skills),
    tools: listOption(tools),
    onEvent: answersAt(io, capstan),
    onProgress: progress.update,
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

/** Names the capsule that does almost the same. */
function offer(
  { args, io }: CommandContext,
  { id, score }: NonNullable<CapsuleProposal['twin']>,
): number {
  if (args.options['json'] === true) {
    printJson(io, { created: null, twin: { id, score } });
    return exitCodes.failed;
  }
  io.stderr(
    `"${id}" already does almost the same (score ${score.toFixed(2)}). Nothing was created.\n` +
      `Inspect it: capstan capsules inspect ${id}. Create a new one anyway: --anyway\n`,
  );
  return exitCodes.failed;
}

/** The complete manifest and overlay, as a run shows them in its question. */
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
