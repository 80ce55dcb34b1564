import type { CapsuleProfile } from './capsule-profile.ts';
import type { Registry } from './registry.ts';

/** A capsule that would be taken without a thought for what a new one is to do. */
export interface Twin {
  readonly capsuleId: string;
  readonly score: number;
}

/** Looks for a capsule that a new one would only repeat: one in whose `take` zone its description lies. */
export async function findTwin(
  registry: Pick<Registry, 'route'>,
  { name, description }: Pick<CapsuleProfile, 'name' | 'description'>,
  exclude: readonly string[] = [],
): Promise<Twin | undefined> {
  const text = `${name}. ${description}`.slice(0, 2_000);
  const { zone, capsuleId, candidates } = await registry.route(text, { model: true, exclude });
  if (zone !== 'take' || capsuleId === undefined) return undefined;
  return { capsuleId, score: candidates[0]?.score ?? 1 };
}
