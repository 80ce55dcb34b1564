import { Need } from '../../contract/need.ts';
import { abilitiesLackedBy } from '../../registry/ability/ability.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { RunContext } from '../context/run-context.ts';
import type { PlanMaterial, PlannerCapsule } from './planner-view.ts';

/** Looks up the capsules and lists the workspace. */
export async function planMaterial({ parts }: RunContext): Promise<PlanMaterial> {
  const listed = parts.registry.list();
  const quarantined = parts.quarantine.idsAmong(listed);
  const usable = listed.filter(({ id }) => !quarantined.has(id));
  if (!parts.provider.isModel) {
    return {
      capsules: usable.map(({ id, manifest }) => ({ id, description: manifest.description })),
    };
  }
  const files = await parts.listWorkspace?.();
  return parts.redactor.redact({ capsules: usable.map(shownCapsule), ...(files && { files }) });
}

function shownCapsule(capsule: Capsule): PlannerCapsule {
  const { id, manifest } = capsule;
  const lacked: readonly string[] = abilitiesLackedBy(capsule, 'agentic', Need.options);
  return {
    id,
    description: manifest.description,
    tools: Object.entries(manifest.grants.tools).map(([name, { operations }]) =>
      operations === undefined ? name : `${name}: ${operations.join(', ')}`,
    ),
    can: Need.options.filter((need) => !lacked.includes(need)),
  };
}
