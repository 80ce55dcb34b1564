import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../contract/errors.ts';
import { assertNotQuarantined } from '../../registry/quarantine.ts';
import type { AppContext } from '../app-context.ts';
import { chooseFor } from '../wiring/models/choose-for.ts';
import type { RegistryOptions } from './registry-options.ts';
import type { RouteExplanation } from './route-explanation.ts';
import { withRegistry } from './with-registry.ts';

export interface ExplainRouteOptions extends RegistryOptions {
  /** Id of the capsule that the user named for the task. */
  readonly capsule?: string | undefined;
}

/** Decides which capsule a task would get now. Runs nothing and calls no model. */
export function explainRoute(
  context: AppContext,
  task: string,
  options: ExplainRouteOptions = {},
): Promise<RouteExplanation> {
  if (task.trim() === '') throw new AppError('USAGE', { problem: 'The task is empty.' });
  return withRegistry(context, options, async ({ registry, loaded: { settings }, problems }) => {
    const { quarantine, recentAttempts } = await context.stores();
    const hasModel = await isModelAvailable(settings);
    const quarantined = [...quarantine.idsAmong(registry.list())];
    const route = await registry.route(task, {
      model: hasModel,
      exclude: quarantined,
      named: options.capsule,
      recent: (capsule) => recentAttempts(capsule, settings.workspace),
    });
    const named = route.zone === 'named' ? registry.find(route.capsuleId ?? '') : undefined;
    if (named) assertNotQuarantined(named, quarantine);
    const { judge } = settings.route;
    return { task, route, hasModel, judge, quarantined, isPast: false, problems };
  });
}

async function isModelAvailable(settings: Settings): Promise<boolean> {
  const { name } = await chooseFor(settings);
  return name !== 'offline';
}
