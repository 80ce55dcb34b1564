import { AppError } from '../../contract/errors.ts';
import { assertNotQuarantined } from '../../registry/quarantine.ts';
import type { Route } from '../../registry/search/route.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { type RouteGround, withRouteGround } from './route-ground.ts';
import { routeDocument, routeText, type ShownRoute } from './route-text.ts';

export const command: CommandDefinition = {
  name: 'route',
  summary: 'Show which capsule a task would get and why, and correct a wrong choice',
  arguments: '[task...]',
  options: [
    { flags: '--run <run>', description: 'show how a subtask of this run was routed, instead' },
    { flags: '--subtask <id>', description: 'which one, where the run has several' },
    { flags: '--correct <capsule>', description: 'say which capsule it is for: that is learnt' },
    {
      flags: '--instead-of <capsule>',
      description: 'the wrong choice (default: the one that is or was chosen)',
    },
    { flags: '--capsule <id>', description: 'as `capstan run --capsule` would route it' },
    { flags: '-w, --workspace <dir>', description: 'folder whose capsules count, too' },
    { flags: '--provider <name>', description: 'offline, openai, anthropic, gemini or ollama' },
    { flags: '--trust-project', description: "take the project's files as trusted, this once" },
    { flags: '--json', description: 'print JSON' },
  ],
  examples: [
    'capstan route "Which requests in access.log took longest?"',
    'capstan route "Which requests in access.log took longest?" --correct log-analyst',
    'capstan route --run 0199 --subtask s2 --correct table-analyst',
  ],
  run: (args, io) => withRouteGround(args, io, (ground) => showRoute(ground, args, io)),
};

async function showRoute(
  ground: RouteGround,
  args: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const shown = isOfRun(args) ? routeOfRun(ground, args) : await routeNow(ground, args);
  const correction = correct(ground, shown, args.options);
  if (args.options['json'] === true) printJson(io, { ...routeDocument(shown), ...correction });
  else io.stdout(routeText(shown, correction));
  return exitCodes.completed;
}

const isOfRun = ({ options }: CommandArguments): boolean => typeof options['run'] === 'string';

async function routeNow(ground: RouteGround, args: CommandArguments): Promise<ShownRoute> {
  const task = args.positionals.join(' ').trim();
  if (task === '') {
    const problem =
      'There is no task. Name one, or a run: capstan route "…" (see `capstan route --help`).';
    throw new AppError('USAGE', { problem });
  }
  const { registry, hasModel, quarantine } = ground;
  const named = args.options['capsule'];
  const exclude = [...quarantine.idsAmong(registry.list())];
  const route = await registry.route(task, {
    model: hasModel,
    exclude,
    ...(typeof named === 'string' && { named }),
  });
  const chosen = route.zone === 'named' ? registry.find(route.capsuleId ?? '') : undefined;
  if (chosen) assertNotQuarantined(chosen, quarantine);
  return { task, route, hasModel, judge: ground.judge, quarantined: exclude, isPast: false };
}

/** A receipt that a run kept. */
function routeOfRun(ground: RouteGround, { options, positionals }: CommandArguments): ShownRoute {
  if (positionals.length > 0) {
    throw new AppError('USAGE', { problem: 'Name a task or --run, not both.' });
  }
  const run = ground.findRun(String(options['run']));
  const subtasks = ground.subtasksOf(run.id);
  const wanted = options['subtask'];
  const [subtask, other] = subtasks.filter(({ id }) => wanted === undefined || id === wanted);
  const ids = subtasks.map(({ id }) => id).join(', ') || 'none';
  if (!subtask || other) {
    const problem = `Name one of the run's subtasks with --subtask. They are: ${ids}.`;
    throw new AppError('USAGE', { problem });
  }
  if (!subtask.route) {
    const problem = `Subtask ${subtask.id} was never routed: no receipt is kept.`;
    throw new AppError('USAGE', { problem });
  }
  const route = { ...(subtask.route as Route), capsuleId: subtask.capsuleId ?? undefined };
  const hasModel = run.provider !== 'offline';
  const { judge } = ground;
  return { task: subtask.description, route, hasModel, judge, quarantined: [], isPast: true };
}

/** Keeps what the person said; nothing where nothing was. */
function correct(
  { registry, noteCorrection }: RouteGround,
  { task, route }: ShownRoute,
  options: CommandArguments['options'],
): { readonly corrected?: { readonly capsule_id: string; readonly instead_of: string | null } } {
  const right = options['correct'];
  const given = options['insteadOf'];
  if (typeof right !== 'string') {
    if (given === undefined) return {};
    throw new AppError('USAGE', {
      problem: 'Name the right capsule, too: --correct <capsule> --instead-of <capsule>.',
    });
  }
  if (typeof given === 'string' && !registry.find(given)) {
    throw new AppError('CAPSULE_UNKNOWN', {
      id: given,
      known: registry.list().map(({ id }) => id),
    });
  }
  const wrong = typeof given === 'string' ? given : route.capsuleId;
  const insteadOf = wrong === right ? undefined : wrong;
  noteCorrection({ task, capsuleId: right, insteadOf });
  return { corrected: { capsule_id: right, instead_of: insteadOf ?? null } };
}
