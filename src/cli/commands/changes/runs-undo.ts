import { changeReason } from '../../../app/runs/changes/change-reasons.ts';
import type { UndoPlan, UndoStep } from '../../../app/runs/changes/undo-plan.ts';
import type { UndoResult } from '../../../app/runs/changes/undo-run.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { confirm } from '../../io/confirm.ts';
import { standard } from '../../options/standard-options.ts';
import { gapText } from '../../text/change-text.ts';
import { counted, formatTable } from '../../text/format.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsUndo: CommandDefinition = {
  name: 'undo',
  summary: 'Restore the files that a run changed, if unchanged since',
  arguments: '<run>',
  options: {
    ...standard.yes,
    ...standard.dryRun,
    '--redo': 'restore what an undo of this run replaced',
    ...standard.json,
  },
  examples: ['capstan runs undo 5c1f4f3a --dry-run', 'capstan runs undo 5c1f4f3a --redo --yes'],
  run: withCapstan(async ({ capstan, io, named, has }) => {
    const result = await capstan.runs.undo(named, {
      by: 'cli',
      redo: has('redo'),
      dryRun: has('dryRun'),
      onlyOwn: has('yes'),
      confirm(plan) {
        if (has('yes')) return true;
        io.stderr(planText(plan));
        return confirm(questionOf(plan), io);
      },
    });
    const isRefused = result.status === 'nothing' && result.left_out.length > 0;
    const isOk = !isRefused && result.status !== 'declined' && result.status !== 'incomplete';
    const text = `${resultText(result)}${has('yes') ? unaskedText(result.left_out) : ''}`;
    return { json: result, text, isOk };
  }),
};

/** How to include the files that `--yes` leaves out. */
function unaskedText(leftOut: UndoPlan['left_out']): string {
  const { length } = leftOut.filter(({ reason }) => reason === 'changed_during_command');
  const files = `the ${counted(length, 'file')} that changed while a command ran`;
  return length === 0 ? '' : `Without --yes, undo asks about ${files}.\n`;
}

/** `Undo 2 files?` */
export const questionOf = ({ steps, action }: UndoPlan): string =>
  `${action === 'undo' ? 'Undo' : 'Redo'} ${counted(steps.length, 'file')}?`;

/** The plan of an undo. All text is escaped. */
export const planText = ({ steps, left_out, not_undoable, gaps }: UndoPlan): string =>
  [
    formatTable(steps.map(stepRow)),
    stayText({ left_out, not_undoable }),
    gapText(gaps).trimStart(),
    steps.some(({ path }) => /(^|\/)\.git\//.test(path)) ? OF_GIT : '',
  ]
    .filter((text) => text !== '')
    .join('\n');

const OF_GIT = 'The configuration and the hooks of a Git repository (.git) are not stored.\n';

const stepRow = ({ action, path, perhaps_by_others }: UndoStep): string[] => [
  action,
  escapeText(path),
  ...(perhaps_by_others ? ['changed while a command ran, perhaps by you'] : []),
];

function stayText({ left_out, not_undoable }: Pick<UndoPlan, 'left_out' | 'not_undoable'>): string {
  const appeared = left_out.filter(isNew).map(({ path }) => escapeText(path));
  const files = left_out
    .filter((one) => !isNew(one))
    .map(({ path, reason }) => [escapeText(path), changeReason(reason)]);
  const effects = not_undoable.map(({ what, subtask_id }) =>
    [what, subtask_id].map((cell) => escapeText(cell)),
  );
  return [
    under('Left out', files),
    newFilesText(appeared),
    under('Effects outside of files, if any (not undone)', effects),
  ].join('');
}

const isNew = ({ reason }: UndoPlan['left_out'][number]): boolean =>
  reason === 'appeared_during_command';

/** Files that are shown of those that commands may have created. */
const MAX_NEW = 3;

/** `New files that appeared while commands ran stay (5): dist/app, dist/lib, dist/map, …` */
function newFilesText(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const shown = [...paths.slice(0, MAX_NEW), ...(paths.length > MAX_NEW ? ['…'] : [])];
  return `New files that appeared while commands ran stay (${paths.length}): ${shown.join(', ')}\n`;
}

const under = (title: string, rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? '' : `${title}\n${formatTable(rows)}`;

/** Whether a run changed, or perhaps changed, files that an undo does not restore. */
const mayHaveMore = ({ left_out, gaps }: UndoPlan): boolean =>
  left_out.length > 0 || gaps.length > 0;

/** The result of an undo. All text is escaped. */
export function resultText(result: UndoResult): string {
  const { status, done, failed } = result;
  if (status === 'planned') return planText(result) || 'There is nothing to do.\n';
  if (status === 'nothing') {
    const said = mayHaveMore(result) ? 'Nothing was changed.' : 'There is nothing to do.';
    return `${said}\n${stayText(result)}${gapText(result.gaps).trimStart()}`;
  }
  if (status === 'declined') return 'Nothing was changed.\n';
  const problems = failed.map(({ path, message }) => [escapeText(path), escapeText(message, true)]);
  return [
    formatTable(done.map(({ action, path }) => [past[action], escapeText(path)])),
    under('Failed', problems),
    stayText({ ...result, not_undoable: [] }),
  ].join('');
}

const past: Readonly<Record<UndoStep['action'], string>> = {
  restore: 'restored',
  remove: 'removed',
  recreate: 'recreated',
};
