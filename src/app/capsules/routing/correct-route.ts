import { AppError } from '../../../contract/errors.ts';
import type { Registry } from '../../../registry/registry.ts';
import { personAt } from '../../calls/assert-actor.ts';
import type { AppContext } from '../../context/open-context.ts';
import type { RouteExplanation } from './explain-route.ts';
import { type RegistryOptions, withRegistry } from './with-registry.ts';

export interface CorrectRouteOptions extends RegistryOptions {
  /** Id of the capsule that the task is for. */
  readonly capsule: string;
  /** Id of the wrong one. Default: the capsule that is or was chosen. */
  readonly insteadOf?: string | undefined;
  /** The surface, for the audit: `cli`. Default: `api`. */
  readonly by?: string | undefined;
}

/** `insteadOf`: null if no other capsule was chosen. */
export type RouteCorrection = Awaited<ReturnType<typeof correctRoute>>;

/** Implements `routing.correct`. */
export async function correctRoute(
  context: AppContext,
  { task, route }: Pick<RouteExplanation, 'task' | 'route'>,
  options: CorrectRouteOptions,
) {
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
