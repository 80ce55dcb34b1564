import { changeReason, noDiffReasons } from '../../../app/runs/changes/change-reasons.ts';
import type { FileDiff, RunDiff } from '../../../app/runs/changes/diff-run.ts';
import { type ShownFile, withRenames } from '../../../app/runs/changes/with-renames.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';
import { fileName } from '../../report/changed-files.ts';
import { gapText, isContent, lineCounts, noFileText, paintDiff } from '../../text/change-text.ts';
import { formatTable, titled } from '../../text/format.ts';
import type { Style } from '../../text/style.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsDiff: CommandDefinition = {
  name: 'diff',
  summary: "Show the files that a run changed, and what can't be undone",
  arguments: '<run>',
  options: { '--stat': 'only list the files', ...standard.json },
  examples: ['capstan runs diff last', 'capstan runs diff 4f3a --stat'],
  run: withCapstan(async ({ capstan, named, has, style }) => {
    const diff = await capstan.runs.diff(named);
    const patches = has('stat') ? [] : withRenames(diff.files).map(patchText(style));
    return { json: diff, text: `${patches.join('')}${listText(diff)}` };
  }),
};

const patchText =
  (style: Style) =>
  (file: ShownFile): string => {
    const { diff, diff_problem } = file;
    const head = style.bold(`${changeOf(file)} ${escapeText(fileName(file))}`);
    if (file.from !== undefined) return `${head}\n\n`;
    if (diff === null)
      return `${head}\n${style.dim(noDiffReasons[diff_problem ?? 'not_kept'])}\n\n`;
    const lines = diff.trimEnd().split('\n').filter(isContent);
    return `${head}\n${lines.map((line) => paintDiff(line, style)).join('\n')}\n\n`;
  };

const changeOf = ({ from, change }: ShownFile): string => (from === undefined ? change : 'renamed');

function listText({ files, not_undoable, gaps }: RunDiff): string {
  const rows = withRenames(files).map((file) => [
    changeOf(file),
    escapeText(fileName(file)),
    file.diff === null ? '' : lineCounts(file.diff),
    escapeText(file.made_by),
    noteOf(file),
  ]);
  const effects = not_undoable.map(({ what, status, subtask_id }) =>
    [status, what, subtask_id].map((cell) => escapeText(cell)),
  );
  return [
    formatTable(rows) || `${noFileText(gaps)}\n`,
    titled('Effects outside of files, if any (not undoable)', formatTable(effects)),
    gapText(gaps),
  ].join('');
}

function noteOf({ reason, now }: FileDiff): string {
  if (now === 'undone') return 'undone';
  return reason === null ? '' : `not undoable: ${changeReason(reason)}`;
}
