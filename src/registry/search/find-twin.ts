import type { CapsuleProfile } from '../create/capsule-factory.ts';
import type { Registry } from '../registry.ts';
import type { RouteCandidate, RouteOptions } from './route.ts';

/** Finds an existing capsule that would be taken for the description of a new one. */
export async function findTwin(
  registry: Pick<Registry, 'route'>,
  { name, description }: Pick<CapsuleProfile, 'name' | 'description'>,
  options: Pick<RouteOptions, 'exclude' | 'needs'>,
): Promise<RouteCandidate | undefined> {
  const text = `${name}. ${description}`.slice(0, 2_000);
  const { zone, candidates } = await registry.route(text, {
    ...options,
    needs: options.needs ?? [],
    model: true,
  });
  return zone === 'take' ? candidates[0] : undefined;
}
