import { chmodSync } from 'node:fs';
import { findOwnOpenPlaces, makePlaces, missingPlaces } from '../../../config/places.ts';
import type { Places } from '../../../config/settings.ts';
import type { RepairPlan } from './repair.ts';

/** Missing folders, and folders and files of the user that others may enter, read or change. */
export function planPrivatePlaces(places: Places): RepairPlan | undefined {
  const steps = [
    ...missingPlaces(places).map((path) => `${path}: create it, mode 700`),
    ...findOwnOpenPlaces(places).map(
      ({ path, mode, wanted }) => `${path}: mode ${mode.toString(8)} → ${wanted.toString(8)}`,
    ),
  ];
  return steps.length === 0 ? undefined : { id: 'private_places', steps };
}

export function repairPrivatePlaces(places: Places): void {
  makePlaces(places);
  for (const { path, wanted } of findOwnOpenPlaces(places)) chmodSync(path, wanted);
}
