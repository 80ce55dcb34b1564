import type { CapsuleProfile } from '../create/capsule-profile.ts';
import type { Registry, RouteOptions } from '../registry.ts';
import type { RouteCandidate } from './route.ts';

/** Looks for a capsule that a new one would only repeat: one in whose `take` zone its description lies. */
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
