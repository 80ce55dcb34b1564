import type { RouteCorrection } from '../../../app/routing/correct-route.ts';
import type { RouteExplanation } from '../../../app/routing/explain-route.ts';
import { AppError } from '../../../contract/errors.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { textOption } from '../../options/text-option.ts';
import { createProgressLine, type ProgressLine } from '../../run/surfaces/progress-line.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';
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

async function showRoute(context: CommandContext): Promise<number> {
  const { args, io } = context;
  const line = createProgressLine(io, 'Embedding capsules');
  try {
    const explained = await explain(context, line);
    line.end();
    for (const problem of explained.problems) io.stderr(`! ${problem}\n`);
    const correction = await correct(context, explained, line);
    line.end();
    const corrected = correction && {
      capsule_id: correction.capsule,
      instead_of: correction.insteadOf,
    };
    if (args.options['json'] === true) {
      printJson(io, { ...routeDocument(explained), ...(corrected && { corrected }) });
    } else io.stdout(routeText(explained, corrected));
    return exitCodes.completed;
  } finally {
    line.end();
  }
}

async function explain(
  { capstan, args: { options, positionals } }: CommandContext,
  line: ProgressLine,
): Promise<RouteExplanation> {
  const { run, subtask, capsule } = options;
  const task = positionals.join(' ').trim();
  if (typeof run === 'string') {
    if (task !== '') throw usage('Name a task or --run, not both.');
    return capstan.routing.receipt(run, textOption(subtask));
  }
  if (task === '') {
    throw usage(
      'There is no task. Name one, or a run: capstan capsules route "…" (see `capstan capsules route --help`).',
    );
  }
  return capstan.routing.explain(task, {
    capsule: textOption(capsule),
    overrides: options,
    onProgress: line.update,
  });
}

async function correct(
  { capstan, args: { options } }: CommandContext,
  explained: RouteExplanation,
  line: ProgressLine,
): Promise<RouteCorrection | undefined> {
  const capsule = textOption(options['correct']);
  const insteadOf = textOption(options['insteadOf']);
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

const usage = (problem: string) => new AppError('USAGE', { problem });
