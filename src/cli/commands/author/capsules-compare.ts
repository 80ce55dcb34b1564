import type {
  ComparedOverlays,
  ComparedTask,
} from '../../../app/capsules/overlay/compare-overlays.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import type { CommandDefinition } from '../../command.ts';
import { adviseOnField } from '../../errors/advise-on-field.ts';
import { standard } from '../../options/standard-options.ts';
import { trialOptions, withTrial } from '../../options/trial-options.ts';
import { formatCost, formatTable } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import type { Style } from '../../text/style.ts';
import { showDifference, trialDocument, warningsOf } from './trial-text.ts';

export const capsulesCompare: CommandDefinition = {
  name: 'compare',
  summary: "Compare two overlays on a capsule's last tasks",
  arguments: '<capsule>',
  options: {
    '--against <version>':
      'first digits (at least 4) of the hash of an overlay (see capsules inspect), or a Git revision',
    '--last <count>': 'number of tasks to take from the journal (default: 5)',
    '--strict': 'fail if an answer was recorded under another prompt',
    ...trialOptions('ask a real model if no answer is recorded'),
    ...standard.json,
  },
  examples: [
    'capstan capsules compare summarizer --against 3fa2b9c1',
    'capstan capsules compare ./agents/mine --against HEAD~1 --live',
  ],
  run: withTrial(async (context, options) => {
    const { capstan, named, has, text, style } = context;
    const against = text('against');
    if (against === undefined) throw usage(NO_VERSION);
    const last = Number(text('last') ?? '5');
    const comparing = capstan.capsules.compare(named, { ...options, against, last });
    const compared = await adviseOnField(comparing, { last: 'Correct --last.' });
    const { id, tasks, isStale } = compared;
    if (tasks.length === 0)
      throw usage(`"${id}" has no tasks yet. Give it one: capstan run --capsule ${id} "…"`);
    const isOk = !(has('strict') && isStale);
    return { json: documentOf(compared), text: comparedText(compared, has('live'), style), isOk };
  }),
};

const NO_VERSION =
  'Name the version to compare with: --against <version> (a hash from `capsules inspect`, or a Git revision).';

function comparedText(compared: ComparedOverlays, isLive: boolean, style: Style): string {
  const { before: old, after: now, tasks, isStale } = compared;
  const texts = tasks.map(({ done, before, after, difference }) => {
    const row = (what: string, of: (result: ComparedTask['before']) => string | number) =>
      [`  ${what}`, of(before), of(after)].map(String);
    const rows = [
      ['  overlay', old.slice(0, 12), now.slice(0, 12)],
      row('status', ({ status }) => status),
      row('model calls', ({ modelCalls }) => modelCalls),
      row('tool calls', ({ toolCalls }) => toolCalls),
      row('cost', ({ costMicroUsd }) => formatCost(costMicroUsd / 1e6)),
      row('approvals', ({ approvals }) => approvals.length),
    ];
    const warnings = new Set([before, after].flatMap((one) => warningsOf(one, isLive)));
    return [
      `${style.bold(escapeText(shorten(done.task, 100)))}  run ${shortId(done.runId)}\n`,
      formatTable(rows),
      ...[...warnings].map((warning) => `! ${warning}\n`),
      `${showDifference({ ...difference, prompt: [] }, style)}\n`,
    ].join('');
  });
  const same = tasks.filter(({ difference }) => difference.isSame).length;
  const limit = isStale ? ' (some answers were recorded under another prompt)' : '';
  return `${texts.join('')}${same} of ${tasks.length} with the same steps and answer${limit}\n`;
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
