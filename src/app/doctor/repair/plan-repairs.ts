import { chmodSync } from 'node:fs';
import { findOwnOpenPlaces, makePlaces, missingPlaces } from '../../../config/places.ts';
import type { Places } from '../../../config/settings.ts';
import type { AppContext } from '../../app-context.ts';
import { breakersApi } from '../../breakers/breakers-api.ts';
import { downloadModel } from '../../models/download-model.ts';
import type { Check } from '../check.ts';
import { openBreakerRows } from '../check-breakers.ts';
import { planCodeCache, repairCodeCache } from './code-cache.ts';
import type { RepairId, RepairOptions, RepairPlan } from './repair.ts';
import { planSearchIndex, repairSearchIndex } from './search-index.ts';

/** What Capstan can repair now, of these checks and of what they do not report. Changes nothing. */
export async function planRepairs(
  context: AppContext,
  checks: readonly Check[],
): Promise<readonly RepairPlan[]> {
  const { places } = context;
  const isModelMissing = checks.some(({ next }) => next === 'download_model');
  const breakers = await openBreakerRows(context);
  const reset = breakers.map(({ provider, model }) => `${provider}/${model}: forget its failures`);
  const plans = [
    planPrivatePlaces(places),
    planCodeCache(places),
    isModelMissing ? DOWNLOAD : undefined,
    planSearchIndex(places),
    reset.length === 0 ? undefined : ({ id: 'breakers', steps: reset } as const),
  ];
  return plans.filter((plan) => plan !== undefined);
}

const DOWNLOAD: RepairPlan = {
  id: 'download_model',
  steps: ['all-MiniLM-L6-v2: download it (23 MB)'],
};

type Repair = (context: AppContext, options: RepairOptions) => Promise<unknown> | unknown;

const repairs: Readonly<Record<RepairId, Repair>> = {
  private_places: ({ places }) => repairPrivatePlaces(places),
  code_cache: ({ places }) => repairCodeCache(places),
  download_model: (context, { onProgress }) => downloadModel(context, 'minilm', { onProgress }),
  search_index: repairSearchIndex,
  breakers: resetBreakers,
};

/** @throws AppError of what could not be repaired, such as `EMBEDDER_UNAVAILABLE` or `PLACE_UNUSABLE`. */
export async function repair(
  context: AppContext,
  id: RepairId,
  options: RepairOptions,
): Promise<void> {
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
