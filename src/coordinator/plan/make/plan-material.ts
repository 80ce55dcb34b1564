import { Need } from '../../../contract/permissions/need.ts';
import { abilitiesLackedBy } from '../../../registry/ability/ability.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import type { RunContext, RunParts } from '../../context/run-context.ts';
import type { PlanMaterial, PlannerCapsule } from './planner-view.ts';

/** Looks up the capsules and lists the workspace. */
export async function planMaterial({ parts }: RunContext): Promise<PlanMaterial> {
  const usable = usableCapsules(parts);
  if (!parts.provider.isModel) {
    return {
      capsules: usable.map(({ id, manifest }) => ({ id, description: manifest.description })),
    };
  }
  const files = await parts.listWorkspace?.();
  return parts.redactor.redact({ capsules: usable.map(shownCapsule), ...(files && { files }) });
}
/** The capsules that are not quarantined. */
export const usableCapsules = ({ registry, quarantine }: RunParts): readonly Capsule[] => {
  const listed = registry.list();
  const quarantined = quarantine.idsAmong(listed);
  return listed.filter(({ id }) => !quarantined.has(id));
};

/** The abilities of a capsule besides reading, with a model. */
export function abilitiesOf(capsule: Capsule): readonly Need[] {
  const lacked: readonly string[] = abilitiesLackedBy(capsule, 'agentic', Need.options);
  return Need.options.filter((need) => !lacked.includes(need));
}

const shownCapsule = (capsule: Capsule): PlannerCapsule => ({
  id: capsule.id,
  description: capsule.manifest.description,
  tools: Object.entries(capsule.manifest.grants.tools).map(([name, { operations }]) =>
    operations === undefined ? name : `${name}: ${operations.join(', ')}`,
  ),
  can: abilitiesOf(capsule),
});
