import type { CapsuleProfile } from '../create/capsule-profile.ts';
import type { Registry } from '../registry.ts';
import type { RouteCandidate } from './route.ts';

/** Looks for a capsule that a new one would only repeat: one in whose `take` zone its description lies. */
export async function findTwin(
  registry: Pick<Registry, 'route'>,
  { name, description }: Pick<CapsuleProfile, 'name' | 'description'>,
  exclude: readonly string[] = [],
): Promise<RouteCandidate | undefined> {
  const text = `${name}. ${description}`.slice(0, 2_000);
  const { zone, candidates } = await registry.route(text, { model: true, exclude });
  return zone === 'take' ? candidates[0] : undefined;
}
