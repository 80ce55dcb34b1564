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
    const insteadOf = chosen === capsule ? undefined : chosen;
    audit.inOne(() => {
      registry.correct(task, capsule, insteadOf);
      const detail = { task, instead_of: insteadOf ?? null };
      audit.append({ actor, action: 'route.corrected', runId: null, ref: capsule, detail });
    });
    return { capsule, insteadOf: insteadOf ?? null };
  });
}

function assertKnown(registry: Registry, id: string): void {
  if (registry.find(id)) return;
  throw new AppError('CAPSULE_UNKNOWN', { id, known: registry.list().map((one) => one.id) });
}
