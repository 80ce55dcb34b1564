import type { ProjectReview } from '../../../app/settings/project-trust.ts';
import { differenceNote } from '../../../contract/text/difference-note.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { isAgreed } from '../../io/confirm.ts';
import { standard } from '../../options/standard-options.ts';
import { paintDiff } from '../../text/change-text.ts';
import { counted } from '../../text/format.ts';
import type { Style } from '../../text/style.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

export const trustCommand: CommandDefinition = {
  name: 'trust',
  topic: 'Project',
  summary: "Show what is new in the project's files, and trust them",
  options: {
    ...standard.workspace,
    ...standard.yes,
    '--json': 'print JSON, and trust only with --yes',
  },
  examples: ['capstan config trust', 'capstan config trust --yes'],
  run: withCapstan(trustProject),
};

async function trustProject(context: CommandContext): Promise<CommandResult | number> {
  const { capstan, args, io, isJson, has, style } = context;
  const { settings } = capstan;
  const review = await settings.reviewProject(args.options);
  if (!isJson) io.stdout(reviewText(review, style));
  if (!review.isTrustNeeded || (isJson && !has('yes')))
    return { json: reviewDocument(review, []), text: '' };
  // Fails before the question if the trusted project's settings would be invalid.
  const trusted = await settings.get({ ...args.options, trustProject: true });
  for (const notice of trusted.notices) io.stderr(`note: ${notice}\n`);
  if (!(await isAgreed(context, 'Trust these files as they are?', 'Nothing was recorded.')))
    return exitCodes.failed;
  const accepted = review.files.flatMap(({ path, sha256 }) => (sha256 ? [{ path, sha256 }] : []));
  await settings.trustProject(accepted, args.options);
  const paths = accepted.map(({ path }) => path);
  const text = `Trusted: ${counted(paths.length, 'file')} of ${review.folder}.\n`;
  return { json: reviewDocument(review, paths), text };
}

const reviewDocument = ({ folder, files }: ProjectReview, accepted: readonly string[]) => ({
  folder,
  files: files.map(({ path, state, sha256, change }) => ({
    path,
    state,
    sha256,
    diff: change?.diff ?? null,
    diff_problem: change?.problem ?? null,
  })),
  accepted,
});

function reviewText({ folder, files, isTrustNeeded }: ProjectReview, style: Style): string {
  if (files.length === 0) return `${folder} has no Capstan files: there is nothing to trust.\n`;
  const text = files.map((file) => fileText(file, style)).join('');
  return `${text}${isTrustNeeded ? '' : 'Nothing new to trust.\n'}`;
}

/** A file and its difference, with a mark before each line, so that no line can look like Capstan's own output. */
function fileText({ path, state, change }: ProjectReview['files'][number], style: Style): string {
  const note = change?.problem ? `  (${differenceNote(change.problem)})` : '';
  const lines = change?.diff ? change.diff.trimEnd().split('\n') : [];
  const shown = lines.map((line) => `         │ ${paintDiff(line, style)}\n`);
  return `${state.padEnd(8)} ${printable(path)}${note}\n${shown.join('')}`;
}
