import type { CapsuleProposal } from '../../../app/capsules/create/propose-capsule.ts';
import type { CommandDefinition } from '../../command.ts';
import { adviseOnField } from '../../errors/advise-on-field.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { isAgreed } from '../../io/confirm.ts';
import { standard } from '../../options/standard-options.ts';
import { answersAt } from '../../options/trial-options.ts';
import { createProgressLine } from '../../run/surfaces/progress-line.ts';
import { quotedText } from '../../text/quoted-text.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

export const capsulesCreate: CommandDefinition = {
  name: 'create',
  summary: 'Create a capsule from a description',
  arguments: '<description...>',
  options: {
    '--id <id>': 'its id (default: derived from its name)',
    '--name <name>': 'its name (default: derived from the description)',
    '--role <text>': 'how it works, as the first lines of its overlay',
    '--skills <ids>': 'comma-separated skills (default: chosen from the description)',
    '--tools <names>': 'comma-separated tools (default: chosen from the description)',
    ...standard.provider,
    ...standard.model,
    ...standard.budget,
    '--anyway': 'create it even if another capsule does almost the same',
    ...standard.yes,
    ...standard.json,
  },
  examples: [
    'capstan capsules create Look for spelling mistakes in Markdown files',
    'capstan capsules create "Ask our SQLite databases about sales" --id sales-analyst --tools sql_query',
  ],
  run: withCapstan(create),
};

async function create(context: CommandContext): Promise<CommandResult | number> {
  const { capstan, io, isJson, has } = context;
  const proposal = await propose(context);
  const { manifest, twin, modelProblem: why } = proposal;
  if (why !== undefined)
    io.stderr(`note: the model wrote no manifest (${why}); it was derived from the description.\n`);
  if (twin && !has('anyway')) {
    const { id, score } = twin;
    if (!isJson) io.stderr(twinText(twin));
    return { json: { created: null, twin: { id, score } }, text: '', isOk: false };
  }
  io.stderr(proposalText(proposal));
  const question = `Create the capsule "${manifest.id}"?`;
  if (!(await isAgreed(context, question, 'Nothing was created.'))) return exitCodes.failed;
  const { id, dir } = await capstan.capsules.create(proposal, context.capsuleOptions);
  return {
    json: { created: id, dir, twin: null },
    text: `Created "${id}": ${dir}\nIt needs a language model: capstan run --capsule ${id} "…"\n`,
  };
}

function propose(context: CommandContext): Promise<CapsuleProposal> {
  const { capstan, args, io, text } = context;
  const progress = createProgressLine(io, 'Embedding capsules');
  const proposing = capstan.capsules.propose(args.positionals.join(' '), {
    ...context.capsuleOptions,
    id: text('id'),
    name: text('name'),
    role: text('role'),
    skills: listOf(text('skills')),
    tools: listOf(text('tools')),
    onEvent: answersAt(io, capstan),
    onProgress: progress.update,
  });
  const advice = { id: 'Choose another one, or leave --id out.' };
  return adviseOnField(proposing, advice).finally(progress.end);
}

const listOf = (given: string | undefined): string[] | undefined =>
  given
    ?.split(',')
    .map((word) => word.trim())
    .filter(Boolean);

const twinText = ({ id, score }: NonNullable<CapsuleProposal['twin']>): string =>
  `"${id}" already does almost the same (score ${score.toFixed(2)}). Nothing was created.\n` +
  `Inspect it: capstan capsules inspect ${id}. Create a new one anyway: --anyway\n`;

/** The complete manifest and overlay, as a run shows them in its question. */
const proposalText = ({ manifest, overlay }: CapsuleProposal): string =>
  `manifest.json\n${quotedText(JSON.stringify(manifest, undefined, 2))}\n\nskill.md\n${quotedText(overlay.trimEnd())}\n\n`;
