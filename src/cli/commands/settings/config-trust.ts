import type { ProjectReview, ReviewedFile } from '../../../app/settings/project-trust.ts';
import { differenceNote } from '../../../contract/text/difference-note.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../io/confirm.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { createStyle, type Style } from '../../style.ts';
import { paintDiff } from '../../text/paint-diff.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const trustCommand: CommandDefinition = {
  name: 'trust',
  topic: 'Project',
  brief: 'accept its files',
  summary: "Show what is new in the project's Capstan files, and trust them as they are now",
  options: [
    standard.workspace,
    standard.yes,
    { flags: '--json', description: 'print JSON, and trust only with --yes' },
  ],
  examples: ['capstan config trust', 'capstan config trust --yes'],
  run: withCapstan(trustProject),
};

async function trustProject({ capstan, args, io }: CommandContext): Promise<number> {
  const { options } = args;
  const isJson = options['json'] === true;
  const hasConsent = options['yes'] === true;
  const review = await capstan.settings.reviewProject(options);
  if (!isJson)
    io.stdout(reviewText(review, createStyle(io.environment, io.isOutputTerminal === true)));
  if (!review.isTrustNeeded || (isJson && !hasConsent)) {
    if (isJson) printJson(io, reviewDocument(review, []));
    return exitCodes.completed;
  }
  // Fails before the question if the trusted project's settings would be invalid.
  const trusted = await capstan.settings.get({ ...options, trustProject: true });
  for (const notice of trusted.notices) io.stderr(`note: ${notice}\n`);
  if (!hasConsent && !(await confirm('Trust these files as they are?', io))) {
    io.stderr('Nothing was recorded.\n');
    return exitCodes.failed;
  }
  const accepted = review.files.flatMap(({ path, sha256 }) =>
    sha256 === null ? [] : [{ path, sha256 }],
  );
  await capstan.settings.trustProject(accepted, options);
  const count = `${accepted.length} file${accepted.length === 1 ? '' : 's'}`;
  const paths = accepted.map(({ path }) => path);
  if (isJson) printJson(io, reviewDocument(review, paths));
  else io.stdout(`Trusted: ${count} of ${review.folder}.\n`);
  return exitCodes.completed;
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

const MAX_LINE_CHARS = 400;

/** A file and its difference, with a mark before each line, so that no line can look like Capstan's own output. */
function fileText({ path, state, change }: ReviewedFile, style: Style): string {
  const note = change?.problem ? `  (${differenceNote(change.problem)})` : '';
  const lines = change?.diff ? change.diff.trimEnd().split('\n') : [];
  const shown = lines.map((line) => `         │ ${paintDiff(line, style, MAX_LINE_CHARS)}\n`);
  return `${state.padEnd(8)} ${printable(path)}${note}\n${shown.join('')}`;
}
