import type {
  RouteCorrection,
  RouteExplanation,
} from '../../../app/capsules/routing/explain-route.ts';
import { abilityWords } from '../../../contract/permissions/ability.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { usage } from '../../../contract/usage.ts';
import type { CommandArguments, CommandDefinition } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';
import { createProgressLine, type ProgressLine } from '../../run/surfaces/progress-line.ts';
import { formatTable } from '../../text/format.ts';
import { shorten } from '../../text/shorten.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'route',
  summary: 'Show which capsule a task would get, or correct it',
  arguments: '[task...]',
  options: {
    '--run <run>': 'show how a subtask of this run was routed',
    '--subtask <id>': 'the subtask, if the run has several',
    '--correct <capsule>': 'route tasks like this one to this capsule from now on',
    '--instead-of <capsule>': 'the wrong capsule (default: the chosen one)',
    ...standard.workspace,
    ...standard.provider,
    ...standard.trustProject,
    ...standard.json,
  },
  examples: [
    'capstan capsules route "Which requests in access.log took longest?"',
    'capstan capsules route "Which requests in access.log took longest?" --correct log-analyst',
    'capstan capsules route --run 9c41d07e --subtask step_2 --correct table-analyst',
  ],
  run: withCapstan(showRoute),
};

async function showRoute(context: CommandContext): Promise<CommandResult> {
  const { args, io } = context;
  const line = createProgressLine(io, 'Embedding capsules');
  const options = { overrides: args.options, onProgress: line.update };
  try {
    const explained = await explain(context, options);
    line.end();
    for (const problem of explained.problems) io.stderr(`! ${problem}\n`);
    const correction = await correct(context, explained, options);
    const corrected = correction && {
      corrected: { capsule_id: correction.capsule, instead_of: correction.insteadOf },
    };
    const text = routeText(explained, correction);
    return { json: { ...routeDocument(explained), ...corrected }, text };
  } finally {
    line.end();
  }
}

interface RouteOptions {
  readonly overrides: CommandArguments['options'];
  readonly onProgress: ProgressLine['update'];
}

async function explain({ capstan, args, text }: CommandContext, options: RouteOptions) {
  const run = text('run');
  const task = args.positionals.join(' ').trim();
  if (run !== undefined) {
    if (task !== '') throw usage('Name a task or --run, not both.');
    return capstan.routing.receipt(run, text('subtask'));
  }
  if (task === '') throw usage(NO_TASK);
  return capstan.routing.explain(task, options);
}

const NO_TASK =
  'There is no task. Name one, or a run: capstan capsules route "…" (see `capstan capsules route --help`).';

async function correct(
  { capstan, text }: CommandContext,
  explained: RouteExplanation,
  options: RouteOptions,
) {
  const capsule = text('correct');
  const insteadOf = text('insteadOf');
  if (capsule === undefined) {
    if (insteadOf === undefined) return undefined;
    throw usage('--instead-of needs --correct <capsule>.');
  }
  return capstan.routing.correct(explained, { capsule, insteadOf, by: 'cli', ...options });
}

type Route = RouteExplanation['route'];

function routeDocument({ task, route, hasModel, quarantined }: RouteExplanation) {
  const { zone, capsuleId, taskKind, decidedBy, why, measure, candidates } = route;
  const { needs = [], leftOut = [] } = route;
  return {
    task,
    zone,
    capsule_id: capsuleId ?? null,
    task_kind: taskKind ?? null,
    decided_by: decidedBy,
    why: why ?? null,
    has_model: hasModel,
    measure: measure ?? null,
    needs,
    left_out: leftOut.map(({ capsuleId: capsule_id, lacks }) => ({ capsule_id, lacks })),
    quarantined,
    candidates: candidates.map(({ capsuleId: capsule_id, best, mean, ...rest }) => ({
      capsule_id,
      best_cosine: best,
      mean_cosine: mean,
      ...rest,
    })),
  };
}

/** A route for a person: the decision, and the short list with the parts of each score. */
function routeText(shown: RouteExplanation, corrected: RouteCorrection | undefined): string {
  const { candidates, measure, leftOut = [] } = shown.route;
  const lines = [`${sentenceOf(shown)}\n`];
  if (candidates.length > 0) lines.push(`\n${tableOf(candidates)}`);
  if (measure) {
    const { embedder, take, create, lead } = measure;
    lines.push(
      `\nThresholds of ${escapeText(embedder)}: take from ${shownScore(take)} with a lead of ${shownScore(lead)}, close from ${shownScore(create)}.\n`,
    );
  }
  for (const { capsuleId, lacks } of leftOut)
    lines.push(`Left out: ${escapeText(capsuleId)} can't ${abilityWords(lacks, 'or')}.\n`);
  const quarantined = shown.quarantined.map((id) => escapeText(id)).join(', ');
  if (quarantined !== '') lines.push(`Excluded (quarantined): ${quarantined}.\n`);
  if (corrected) {
    const { capsule, insteadOf } = corrected;
    const not = insteadOf === null ? '' : `, not for ${escapeText(insteadOf)}`;
    lines.push(`\nRecorded: this task is for ${escapeText(capsule)}${not}.\n`);
  }
  return lines.join('');
}

function sentenceOf({ route, hasModel, judge, isPast }: RouteExplanation): string {
  const id = escapeText(route.capsuleId ?? '');
  if (isPast) return pastSentence(route, id);
  if (route.zone === 'named') return `${id} gets it: the task names it, so no search is made.`;
  if (route.zone === 'take')
    return `${id} gets it: its score is high enough, and clearly ahead of the next.`;
  if (route.zone === 'close') return closeSentence(id, hasModel, judge);
  const { needs = [], leftOut = [], candidates } = route;
  const isUnable = candidates.length === 0 && leftOut.length > 0;
  const reason = isUnable ? `No capsule can ${abilityWords(needs)}` : 'No capsule is close';
  return hasModel
    ? `${reason}: a new one is proposed, and you are asked.`
    : `${reason}, and creating one needs a model.`;
}

function closeSentence(id: string, hasModel: boolean, judge: 'auto' | 'person'): string {
  const otherwise = hasModel
    ? `the model chooses. ${id} has the best score.`
    : `${id} is tried first. Without a model, a capsule that hands the task back passes it to the next one.`;
  const chooser = judge === 'person' ? 'you choose one of these. If no one can answer, ' : '';
  return `Close: ${chooser}${otherwise}`;
}

function pastSentence({ decidedBy, why, zone }: Route, id: string): string {
  const ahead = 'its score was high enough, and clearly ahead of the next';
  const by = {
    name: 'it was named',
    plan: 'the plan named it',
    score: zone === 'take' ? ahead : 'it had the best score',
    model: 'the model chose it',
    person: zone === 'close' ? 'a person chose it' : 'a person approved it',
    twin: 'it is almost the same as the proposed one',
    policy: 'it was created for the task, which the gate allows',
  }[decidedBy];
  const reason = why ? `: ${shorten(why, 200)}` : '';
  return id === '' ? 'No capsule got it.' : `${id} got it: ${by}${reason}.`;
}

const shownScore = (score: number): string => score.toFixed(2).replace(/^(-?)0\./, '$1.');

const tableOf = (candidates: Route['candidates']): string =>
  formatTable([
    'capsule,score,best part,all parts,words,coverage,corrections,recent,matched'.split(','),
    ...candidates.map(
      ({ capsuleId, score, best, mean, bm25, coverage, correction, recent, part }) => [
        escapeText(capsuleId),
        ...[score, best, mean, bm25, coverage].map(shownScore),
        correction === 0 ? '–' : shownScore(correction),
        recent ? `${recent.completed}/${recent.attempts}` : '–',
        shorten(part, 60),
      ],
    ),
  ]);
