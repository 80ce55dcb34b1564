import { changeReason, noDiffReasons } from '../../../app/runs/changes/change-reasons.ts';
import type { RunDiff } from '../../../app/runs/changes/diff-run.ts';
import { type ShownFile, withRenames } from '../../../app/runs/changes/with-renames.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { changeWord, fileName } from '../../report/changed-files.ts';
import { gapText, lineCounts, noFileText } from '../../text/change-text.ts';
import { counted } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { drawDiff } from '../draw/draw-diff.ts';
import type { Frame } from '../frame.ts';
import type { MenuContext } from '../program/create-context.ts';

/** Longer diffs are folded to this number of lines. */
const MAX_LINES = 40;

/** Prints the changes of a run, or of one file in full. */
export async function printDiff(
  context: MenuContext,
  { runId, file }: { readonly runId: string; readonly file?: string },
): Promise<void> {
  const diff = await context.capstan.runs.diff(runId);
  const frame = context.frame();
  const all = withRenames(diff.files);
  const files = all.filter(
    ({ path, from = '' }) => file === undefined || isNamed(path, file) || isNamed(from, file),
  );
  if (file !== undefined && files.length === 0) {
    const { style, symbols } = frame;
    const known = all.map((one) => escapeText(fileName(one))).slice(0, 8);
    context.print(`${style.red(symbols.failed)} This run did not change ${escapeText(file)}.`);
    context.print(known.length > 0 ? `  It changed: ${known.join(', ')}` : '  It changed no file.');
    return;
  }
  const body = files.flatMap((one) => fileLines(one, frame));
  const isFolded = file === undefined && body.length > MAX_LINES;
  if (isFolded) context.keepFolded([...headLines(diff, frame), ...body].join('\n'));
  const rest = body.length - MAX_LINES;
  const more = `  ${frame.symbols.cut} ${rest} more lines · Ctrl-O opens all of it · /diff <file>`;
  const shown = isFolded ? [...body.slice(0, MAX_LINES), frame.style.dim(more)] : body;
  context.print(['', ...headLines(diff, frame), ...shown, ...nextLine(diff, frame)].join('\n'));
}

const isNamed = (path: string, wanted: string): boolean =>
  path === wanted || path.endsWith(`/${wanted}`);

function headLines(changes: RunDiff, { style }: Frame): string[] {
  const { run_id, gaps, not_undoable } = changes;
  const files = withRenames(changes.files);
  const unknown = gaps.length > 0 ? [`  ${gapText(gaps).trim()}`] : [];
  if (files.length === 0) return [noFileText(gaps, ` by run ${shortId(run_id)}`), ...unknown];
  const sums = files.map(({ diff }) => (diff === null ? '+0 -0' : lineCounts(diff)));
  const sum = (at: 0 | 1) =>
    sums.reduce((total, counts) => total + Math.abs(Number(counts.split(' ')[at])), 0);
  const effects = not_undoable.length;
  return [
    style.bold(`${counted(files.length, 'file')}, +${sum(0)} -${sum(1)}, run ${shortId(run_id)}`),
    ...files.map(nameLine),
    ...(effects > 0
      ? [
          `  ${counted(effects, 'call')} may have effects outside of files: /undo does not revert them`,
        ]
      : []),
    ...unknown,
  ];
}

function nameLine(file: ShownFile): string {
  const { diff, undoable, reason, now } = file;
  const counts = diff === null ? '' : ` ${lineCounts(diff)}`;
  const why =
    reason === null || undoable ? '' : ` · /undo cannot restore it: ${changeReason(reason)}`;
  return `  ${changeWord(file)} ${escapeText(fileName(file))}${counts}${now === 'undone' ? ' · undone' : why}`;
}

function fileLines({ path, from, diff, diff_problem }: ShownFile, frame: Frame): string[] {
  if (from !== undefined) return [];
  const name = frame.style.bold(escapeText(path));
  if (diff === null) return [name, `  ${noDiffReasons[diff_problem ?? 'not_kept']}`];
  return [name, ...drawDiff(diff, frame)];
}

const nextLine = ({ files }: RunDiff, { style, symbols }: Frame): string[] =>
  files.some(({ undoable, now }) => undoable && now !== 'undone')
    ? [style.dim(`  ${['/diff <file>', '/undo takes it back'].join(symbols.separator)}`)]
    : [];
