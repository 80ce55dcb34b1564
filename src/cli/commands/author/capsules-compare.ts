import { isatty } from 'node:tty';
import type {
  ComparedOverlays,
  ComparedTask,
} from '../../../app/capsules/overlay/compare-overlays.ts';
import { AppError } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { trialDocument } from '../../capsule/trial-document.ts';
import { showDifference, warningsOf } from '../../capsule/trial-text.ts';
import type { CommandDefinition, CommandIo } from '../../command.ts';
import { adviseOnField } from '../../errors/advise-on-field.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatCost, formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';
import { trialOptions, withTrialOptions } from '../../options/trial-options.ts';
import { createStyle } from '../../style.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import { withCapstan } from '../../with-capstan.ts';

export const capsulesCompare: CommandDefinition = {
  name: 'compare',
  topic: 'Make',
  brief: 'two overlays',
  summary: 'Repeat a capsule’s last tasks under an earlier overlay and the current one',
  arguments: '<capsule>',
  options: [
    {
      flags: '--against <version>',
      description: 'first digits of an overlay’s hash (see capsules inspect), or a git revision',
    },
    {
      flags: '--last <count>',
      description: 'number of tasks to take from the journal (default: 5)',
    },
    { flags: '--strict', description: 'fail if an answer was recorded under another prompt' },
    ...trialOptions('ask a real model if no answer is recorded'),
    standard.json,
  ],
  examples: [
    'capstan capsules compare summarizer --against 3fa2b9c1',
    'capstan capsules compare ./agents/mine --against HEAD~1 --live',
  ],
  run: withCapstan(({ capstan, args, io }) =>
    withTrialOptions({ capstan, args, io }, async (options) => {
      const against = textOption(args.options['against']);
      if (against === undefined) throw new AppError('USAGE', { problem: NO_VERSION });
      const [named = ''] = args.positionals;
      const last = Number(textOption(args.options['last']) ?? '5');
      const comparing = capstan.capsules.compare(named, { ...options, against, last });
      const compared = await adviseOnField(comparing, { last: 'Correct --last.' });
      const { id, tasks } = compared;
      if (tasks.length === 0) {
        const problem = `"${id}" has no tasks yet. Give it one: capstan run --capsule ${id} "…"`;
        throw new AppError('USAGE', { problem });
      }
      if (args.options['json'] === true) printJson(io, documentOf(compared));
      else show(io, compared);
      const isFailed = args.options['strict'] === true && compared.isStale;
      return isFailed ? exitCodes.failed : exitCodes.completed;
    }),
  ),
};

const NO_VERSION =
  'Name the version to compare with: --against <version> (a hash from `capsules inspect`, or a Git revision).';

function show(io: CommandIo, { before: old, after: now, tasks, isStale }: ComparedOverlays): void {
  const style = createStyle(io.environment, isatty(1));
  for (const { done, before, after, difference } of tasks) {
    io.stdout(`${style.bold(escapeText(shorten(done.task, 100)))}  run ${shortId(done.runId)}\n`);
    const row = (what: string, of: (result: ComparedTask['before']) => string | number) => [
      `  ${what}`,
      String(of(before)),
      String(of(after)),
    ];
    const rows = [
      ['  overlay', old.slice(0, 12), now.slice(0, 12)],
      row('status', ({ status }) => status),
      row('model calls', ({ modelCalls }) => modelCalls),
      row('tool calls', ({ toolCalls }) => toolCalls),
      row('cost', ({ costMicroUsd }) => formatCost(costMicroUsd / 1e6)),
      row('approvals', ({ approvals }) => approvals.length),
    ];
    io.stdout(formatTable(rows));
    const warnings = new Set([...warningsOf(before), ...warningsOf(after)]);
    for (const warning of warnings) io.stdout(`! ${warning}\n`);
    io.stdout(`${showDifference({ ...difference, prompt: [] }, style)}\n`);
  }
  const same = tasks.filter(({ difference }) => difference.isSame).length;
  const limit = isStale ? ' (some answers were recorded under another prompt)' : '';
  io.stdout(`${same} of ${tasks.length} with the same steps and answer${limit}\n`);
}

const documentOf = ({ id, before: old, after: now, tasks, isStale }: ComparedOverlays) => ({
  capsule: id,
  before: old,
  after: now,
  stale: isStale,
  tasks: tasks.map(({ done, before, after, difference }) => ({
    run_id: done.runId,
    subtask_id: done.subtaskId,
    task: done.task,
    same: difference.isSame,
    before: trialDocument(before),
    after: trialDocument(after),
    difference,
  })),
});
