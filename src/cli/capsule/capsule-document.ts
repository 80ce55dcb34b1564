import type { ListedCapsule } from '../../app/capsules/list-capsules.ts';

type Capsule = ListedCapsule['capsule'];

/** The main fields of a capsule, for JSON. */
export const capsuleDocument = ({ id, origin, manifest }: Capsule) => ({
  id,
  name: manifest.name,
  origin,
  version: manifest.version,
  description: manifest.description,
  task_kinds: manifest.task_kinds.map(({ name, mode }) => ({ name, mode })),
  tools: Object.keys(manifest.grants.tools),
  skills: manifest.skills,
});

/** Whether a capsule is ready or quarantined, for JSON. */
export const statusDocument = (quarantine: ListedCapsule['quarantine']) => ({
  status: quarantine ? 'quarantined' : 'ready',
  quarantine: quarantine
    ? { reason: quarantine.reason, by: quarantine.heldBy, since: quarantine.heldAt }
    : null,
});

/** `operations: read · paths: src/**`. */
export function describeGrant(grant: Capsule['manifest']['grants']['tools'][string]): string {
  const parts = Object.entries(grant).map(
    ([what, patterns]) => `${what}: ${(patterns ?? []).join(', ')}`,
  );
  return parts.join(' · ') || 'nothing but the tool itself';
}
