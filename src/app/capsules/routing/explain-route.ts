import { AppError } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';
import type { SubtaskRecord } from '../../../coordinator/store/subtasks/subtask-record.ts';
import { chooseProvider } from '../../../llm/choose-provider.ts';
import { assertNotQuarantined } from '../../../registry/quarantine.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { Route } from '../../../registry/search/route.ts';
import { personAt } from '../../calls/assert-actor.ts';
import type { AppContext } from '../../context/open-context.ts';
import { findRun } from '../../runs/find-run.ts';
import { type RegistryOptions, withRegistry } from './with-registry.ts';

/** Decides which capsule a task would get now. Runs nothing and calls no model. */
export function explainRoute(context: AppContext, task: string, options: RegistryOptions = {}) {
  if (task.trim() === '') throw usage('The task is empty.');
  return withRegistry(context, options, async ({ registry, loaded: { settings }, problems }) => {
    const { quarantine, recentAttempts } = await context.stores();
    const hasModel = (await chooseProvider(settings)).name !== 'offline';
    const quarantined = [...quarantine.idsAmong(registry.list())];
    const route = await registry.route(task, {
      model: hasModel,
      exclude: quarantined,
      recent: (capsule) => recentAttempts(capsule, settings.workspace),
    });
    const named = route.zone === 'named' ? registry.find(route.capsuleId ?? '') : undefined;
    if (named) assertNotQuarantined(named, quarantine);
    const { judge } = settings.route;
    return { task, route, hasModel, judge, quarantined, isPast: false, problems };
  });
}

/** Which capsule a task gets, or got, and why. */
export interface RouteExplanation {
  readonly task: string;
  readonly route: Route;
  /** Whether a language model is, or was, available. */
  readonly hasModel: boolean;
  /** Who chooses from a close short list: `auto` is the model if there is one. */
  readonly judge: 'auto' | 'person';
  /** Ids of capsules that were left out because they are quarantined. */
  readonly quarantined: readonly string[];
  /** True for the receipt of a run, false for what would happen now. */
  readonly isPast: boolean;
  /** Capsules and skills that can't be used, one sentence each. */
  readonly problems: readonly string[];
}

/** Implements `routing.receipt`. */
export async function routingReceipt(
  context: AppContext,
  runId: string,
  subtaskId?: string,
): Promise<RouteExplanation> {
  const { subtasks } = await context.stores();
  const run = await findRun(context, runId);
  const subtask = findSubtask(subtasks.of(run.id), subtaskId);
  if (!subtask.route) throw usage(`Subtask ${subtask.id} was not routed: it has no receipt.`);
  return {
    task: subtask.description,
    route: { ...(subtask.route as Route), capsuleId: subtask.capsuleId ?? undefined },
    hasModel: run.provider !== 'offline',
    judge: 'auto',
    quarantined: [],
    isPast: true,
    problems: [],
  };
}

function findSubtask(subtasks: readonly SubtaskRecord[], id: string | undefined): SubtaskRecord {
  const matches = subtasks.filter((subtask) => id === undefined || subtask.id === id);
  const [subtask, other] = matches;
  if (subtask && !other) return subtask;
  const ids = subtasks.map((one) => one.id).join(', ') || 'it has none';
  throw usage(`Name one subtask of the run: ${ids}.`);
}

export interface CorrectRouteOptions extends RegistryOptions {
  /** Id of the capsule that the task is for. */
  readonly capsule: string;
  /** Id of the wrong one. Default: the capsule that is or was chosen. */
  readonly insteadOf?: string | undefined;
  /** The surface, for the audit: `cli`. Default: `api`. */
  readonly by?: string | undefined;
}

export interface RouteCorrection {
  readonly capsule: string;
  /** Null if no other capsule was chosen. */
  readonly insteadOf: string | null;
}

/** Implements `routing.correct`. */
export async function correctRoute(
  context: AppContext,
  { task, route }: Pick<RouteExplanation, 'task' | 'route'>,
  options: CorrectRouteOptions,
): Promise<RouteCorrection> {
  const { capsule, by = 'api' } = options;
  const actor = personAt(by);
  return withRegistry(context, options, async ({ registry }) => {
    const { audit } = await context.stores();
    if (options.insteadOf !== undefined) assertKnown(registry, options.insteadOf);
    const chosen = options.insteadOf ?? route.capsuleId;
    const insteadOf = chosen === capsule ? null : (chosen ?? null);
    audit.inOne(() => {
      registry.correct(task, capsule, insteadOf ?? undefined);
      const detail = { task, instead_of: insteadOf };
      audit.append({ actor, action: 'route.corrected', runId: null, ref: capsule, detail });
    });
    return { capsule, insteadOf };
  });
}

function assertKnown(registry: Registry, id: string): void {
  if (registry.find(id)) return;
  throw new AppError('CAPSULE_UNKNOWN', { id, known: registry.list().map((one) => one.id) });
}
