import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isatty } from 'node:tty';
import type { Difference } from '../../authoring/difference.ts';
import type { JournaledTask } from '../../authoring/journaled-tasks.ts';
import type { TrialResult } from '../../authoring/trial.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { overlayVersion } from '../../registry/capsule-metrics.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import { findAuthored } from '../author/find-authored.ts';
import {
  type Author,
  promptOf,
  textOption,
  trialOptions,
  withAuthor,
} from '../author/open-author.ts';
import { overlayAt } from '../author/overlay-at.ts';
import { doubtsOf, showDifference } from '../author/show-difference.ts';
import { trialDocument } from '../author/trial-document.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatCost, formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { shorten } from '../shorten.ts';
import { createStyle } from '../style.ts';
import { type CapsulesHere, jsonOption, withCapsules } from './capsules-ground.ts';

export const capsulesCompare: CommandDefinition = {
  name: 'compare',
  summary:
    'Do a capsule’s last tasks again under an earlier overlay and under today’s, side by side',
  arguments: '<id>',
  options: [
    {
      flags: '--against <version>',
      description: 'first digits of an overlay’s hash (capsules inspect), or a git revision',
    },
    { flags: '--last <count>', description: 'how many tasks of the journal (default: 5)' },
    ...trialOptions('ask a real model where no answer is recorded'),
    jsonOption,
  ],
  examples: [
    'capstan capsules compare summarizer --against 3fa2b9c1',
    'capstan capsules compare ./agents/mine --against HEAD~1 --live',
  ],
  run: withCapsules(compare),
};

interface Compared {
  readonly done: JournaledTask;
  readonly before: TrialResult;
  readonly after: TrialResult;
  readonly difference: Difference;
}

async function compare(here: CapsulesHere): Promise<number> {
  const { args, io } = here;
  const named = textOption(args.options['against']);
  if (named === undefined) {
    const problem =
      'Say what to compare with: --against VERSION (a hash of `capsules inspect`, or a git revision).';
    throw new AppError('USAGE', { problem });
  }
  const capsule = await findAuthored(here);
  const overlay = await overlayAt(here, capsule, named);
  const earlier = { ...capsule, overlay };
  const tasks = await lastTasks(here, capsule);
  return withAuthor(here, `capsules compare ${capsule.id}`, async (author) => {
    const { differenceOf } = await import('../../authoring/difference.ts');
    const all: Compared[] = [];
    for (const done of tasks) {
      const before = await doAgain(author, earlier, done, here);
      const after = await doAgain(author, capsule, done, here);
      all.push({ done, before, after, difference: differenceOf(before, after) });
    }
    const versions = { before: overlayVersion(overlay), after: overlayVersion(capsule.overlay) };
    if (args.options['json'] === true) printJson(io, documentOf(capsule.id, versions, all));
    else show(here, versions, all);
    return exitCodes.completed;
  });
}

async function lastTasks(
  { stateDir, args }: CapsulesHere,
  { id }: Capsule,
): Promise<readonly JournaledTask[]> {
  const given = textOption(args.options['last']) ?? '5';
  const most = Number(given);
  if (!Number.isInteger(most) || most < 1 || most > 100)
    throw new AppError('USAGE', {
      problem: `--last takes a number from 1 to 100, not "${given}".`,
    });
  const path = join(stateDir, 'capstan.db');
  const { readRows } = await import('../../coordinator/read-rows.ts');
  const { journaledTasks } = await import('../../authoring/journaled-tasks.ts');
  const rows = existsSync(path) ? readRows(path) : undefined;
  try {
    const tasks = rows ? journaledTasks(rows, id, most) : [];
    if (tasks.length > 0) return tasks;
    const problem = `"${id}" has done no task yet: capstan run --capsule ${id} "…" gives it one.`;
    throw new AppError('USAGE', { problem });
  } finally {
    rows?.close();
  }
}

/** From the line that it started from then, with the prompt of this overlay in it. */
async function doAgain(
  author: Author,
  capsule: Capsule,
  { request, workspace, day, answers }: JournaledTask,
  { loaded }: CapsulesHere,
): Promise<TrialResult> {
  const { task_kind, mode, max_steps } = request.config;
  const systemPrompt = await promptOf(capsule, author.skills, {
    task_kind,
    workspace_name: basename(workspace),
    today: day,
  });
  const kind: TaskKind = capsule.manifest.task_kinds.find(({ name }) => name === task_kind) ?? {
    name: task_kind,
    mode,
    max_steps,
    description: '',
    input_schema: {},
    examples: [],
    hint: 'balanced',
  };
  const { protectionFor } = await import('../../app/wiring/protection.ts');
  const isThere = author.askModel !== undefined && existsSync(workspace);
  const isProtected = protectionFor({ ...loaded.settings, workspace });
  return author.run({
    capsule,
    kind,
    systemPrompt,
    task: request.task,
    from: request,
    answers,
    hasModel: request.config.model,
    roots: [workspace],
    inputs: isThere ? { folder: workspace, isProtected } : undefined,
  });
}

interface Versions {
  readonly before: string;
  readonly after: string;
}

function show({ io }: CapsulesHere, versions: Versions, all: readonly Compared[]): void {
  const style = createStyle(io.environment, isatty(1));
  const [old, now] = [versions.before, versions.after].map((hash) => hash.slice(0, 12));
  for (const { done, before, after, difference } of all) {
    io.stdout(`${style.bold(escapeText(shorten(done.request.task, 100)))}  run ${done.runId}\n`);
    const row = (what: string, of: (result: TrialResult) => string | number) => [
      `  ${what}`,
      String(of(before)),
      String(of(after)),
    ];
    const rows = [
      ['  overlay', old ?? '', now ?? ''],
      row('status', ({ status }) => status),
      row('model calls', ({ modelCalls }) => modelCalls),
      row('tool calls', ({ toolCalls }) => toolCalls),
      row('cost', ({ costMicroUsd }) => formatCost(costMicroUsd / 1e6)),
      row('approvals', ({ approvals }) => approvals.length),
    ];
    io.stdout(formatTable(rows));
    const doubts = new Set([...doubtsOf(before), ...doubtsOf(after)]);
    for (const doubt of doubts) io.stdout(`! ${doubt}\n`);
    io.stdout(`${showDifference({ ...difference, prompt: [] }, style)}\n`);
  }
  const same = all.filter(({ difference }) => difference.isSame).length;
  const isRetold = all.some(({ before, after }) => before.reworded + after.reworded > 0);
  const doubt = isRetold ? ', as far as recorded answers can tell' : '';
  io.stdout(`${same} of ${all.length} with the same steps and answer${doubt}\n`);
}

const documentOf = (capsule: string, versions: Versions, all: readonly Compared[]) => ({
  capsule,
  before: versions.before,
  after: versions.after,
  tasks: all.map(({ done, before, after, difference }) => ({
    run_id: done.runId,
    subtask_id: done.subtaskId,
    task: done.request.task,
    same: difference.isSame,
    before: trialDocument(before),
    after: trialDocument(after),
    difference,
  })),
});
