import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { findOwnOpenPlaces, makePlaces, missingPlaces } from '../../../config/places.ts';
import type { Places } from '../../../config/settings.ts';
import {
  clearSearchIndex,
  isSearchIndexComplete,
} from '../../../registry/search/index/clear-search-index.ts';
import { withRegistry } from '../../capsules/routing/with-registry.ts';
import type { AppContext } from '../../context/open-context.ts';
import { breakersApi } from '../../money/breakers-api.ts';
import { downloadModel } from '../../settings/models/download-model.ts';
import type { Check } from '../checks/check.ts';
import { openBreakerRows } from '../checks/check-providers.ts';
import { readDatabase } from '../checks/read-database.ts';

/** The possible repairs: for these checks, and for problems that no check reports. Changes nothing. */
export async function planRepairs(context: AppContext, checks: readonly Check[]) {
  const { places } = context;
  const isModelMissing = checks.some(({ next }) => next === 'download_model');
  const breakers = await openBreakerRows(context);
  const reset = breakers.map(({ provider, model }) => `${provider}/${model}: forget its failures`);
  return [
    planPrivatePlaces(places) ?? [],
    isModelMissing ? DOWNLOAD : [],
    planSearchIndex(places) ?? [],
    reset.length === 0 ? [] : ({ id: 'breakers', steps: reset } as const),
  ].flat();
}

const DOWNLOAD: RepairPlan = {
  id: 'download_model',
  steps: ['all-MiniLM-L6-v2: download it (23 MB)'],
};

type Repair = (context: AppContext, options: RepairOptions) => Promise<unknown> | unknown;

const repairs: Readonly<Record<RepairId, Repair>> = {
  private_places: ({ places }) => repairPrivatePlaces(places),
  download_model: (context, { onProgress }) => downloadModel(context, 'minilm', { onProgress }),
  search_index: repairSearchIndex,
  breakers: resetBreakers,
};

/** @throws AppError of what could not be repaired, such as `EMBEDDER_UNAVAILABLE` or `PLACE_UNUSABLE`. */
export async function repair(context: AppContext, id: RepairId, options: RepairOptions) {
  await repairs[id](context, options);
  context.forgetSettings();
}

async function resetBreakers(context: AppContext, { by }: RepairOptions): Promise<void> {
  const rows = await openBreakerRows(context);
  const { reset } = breakersApi(context);
  for (const { provider, model } of rows) await reset({ provider, model, by });
}

/** Missing folders, and folders and files of the user that others may enter, read or change. */
function planPrivatePlaces(places: Places): RepairPlan | undefined {
  const steps = [
    ...missingPlaces(places).map((path) => `${path}: create it, mode 700`),
    ...findOwnOpenPlaces(places).map(
      ({ path, mode, wanted }) => `${path}: mode ${mode.toString(8)} → ${wanted.toString(8)}`,
    ),
  ];
  return steps.length === 0 ? undefined : { id: 'private_places', steps };
}

function repairPrivatePlaces(places: Places): void {
  makePlaces(places);
  for (const { path, wanted } of findOwnOpenPlaces(places)) chmodSync(path, wanted);
}

/** Repairs that Capstan can make by itself. */
export type RepairId = 'private_places' | 'download_model' | 'search_index' | 'breakers';

/** A repair, as a person should see it before it is made. */
export interface RepairPlan {
  readonly id: RepairId;
  /** One line for each thing that changes: `/home/me/.config/capstan: mode 755 → 700`. */
  readonly steps: readonly string[];
}

export interface RepairOptions {
  /** Called while a repair works: bytes of a download, or texts of the index. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** The surface that a person asked at, for the record. */
  readonly by: string;
}

/** Undefined if the index is whole, or the database can't be read, which another check reports. */
export function planSearchIndex(places: Places): RepairPlan | undefined {
  if (readDatabase(places, isSearchIndexComplete) !== false) return undefined;
  const path = join(places.stateDir, 'capstan.db');
  return { id: 'search_index', steps: [`${path}: embed every capsule again`] };
}

async function repairSearchIndex(context: AppContext, { onProgress }: RepairOptions) {
  const { db } = await context.stores();
  clearSearchIndex(db);
  await withRegistry(context, { overrides: {}, onProgress }, () => undefined);
}
