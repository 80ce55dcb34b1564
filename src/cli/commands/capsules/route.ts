import type { RouteCorrection } from '../../../app/routing/correct-route.ts';
import type { RouteExplanation } from '../../../app/routing/route-explanation.ts';
import type { CommandDefinition } from '../../command.ts';
import { usage } from '../../errors/usage.ts';
import { standard } from '../../options/standard-options.ts';
import { createProgressLine, type ProgressLine } from '../../run/surfaces/progress-line.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';
import { routeDocument, routeText } from './route-text.ts';

export const command: CommandDefinition = {
  name: 'route',
  topic: 'Look',
  brief: 'which one a task gets',
  summary: 'Show which capsule a task would get and why, and correct a wrong choice',
  arguments: '[task...]',
  options: [
    { flags: '--run <run>', description: 'show how a subtask of this run was routed' },
    { flags: '--subtask <id>', description: 'the subtask, if the run has several' },
    {
      flags: '--correct <capsule>',
      description: 'route tasks like this one to this capsule from now on',
    },
    {
      flags: '--instead-of <capsule>',
      description: 'the wrong capsule (default: the chosen one)',
    },
    { flags: '--capsule <capsule>', description: 'route it as `capstan run --capsule` would' },
    standard.workspace,
    standard.provider,
    standard.trustProject,
    standard.json,
  ],
  examples: [
    'capstan capsules route "Which requests in access.log took longest?"',
    'capstan capsules route "Which requests in access.log took longest?" --correct log-analyst',
    'capstan capsules route --run 9c41d07e --subtask s2 --correct table-analyst',
  ],
  run: withCapstan(showRoute),
};

async function showRoute(context: CommandContext): Promise<CommandResult> {
  const { io } = context;
  const line = createProgressLine(io, 'Embedding capsules');
  try {
    const explained = await explain(context, line);
    line.end();
    for (const problem of explained.problems) io.stderr(`! ${problem}\n`);
    const correction = await correct(context, explained, line);
    const corrected = correction && {
      capsule_id: correction.capsule,
      instead_of: correction.insteadOf,
    };
    return {
      json: { ...routeDocument(explained), ...(corrected && { corrected }) },
      text: routeText(explained, corrected),
    };
  } finally {
    line.end();
  }
}

async function explain(
  { capstan, args: { options, positionals }, text }: CommandContext,
  line: ProgressLine,
): Promise<RouteExplanation> {
  const run = text('run');
  const task = positionals.join(' ').trim();
  if (run !== undefined) {
    if (task !== '') throw usage('Name a task or --run, not both.');
    return capstan.routing.receipt(run, text('subtask'));
  }
  if (task === '')
    throw usage(
      'There is no task. Name one, or a run: capstan capsules route "…" (see `capstan capsules route --help`).',
    );
  return capstan.routing.explain(task, {
    capsule: text('capsule'),
    overrides: options,
    onProgress: line.update,
  });
}

async function correct(
  { capstan, args: { options }, text }: CommandContext,
  explained: RouteExplanation,
  line: ProgressLine,
): Promise<RouteCorrection | undefined> {
  const capsule = text('correct');
  const insteadOf = text('insteadOf');
  if (capsule === undefined) {
    if (insteadOf === undefined) return undefined;
    throw usage('--instead-of needs --correct <capsule>.');
  }
  return capstan.routing.correct(explained, {
    capsule,
    insteadOf,
    by: 'cli',
    overrides: options,
    onProgress: line.update,
  });
}
