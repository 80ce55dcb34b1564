import type { Capstan } from '../../app/open-capstan.ts';
import { failedWith, messageOf } from '../../contract/errors.ts';
import type { SetupEffect, SetupField, SetupInput } from './setup-step.ts';

/**
 * Carries out what a step asks for. What was typed wrongly becomes an input that says so.
 *
 * @throws AppError `SETTINGS_INVALID`; `SETTINGS_NOT_WRITTEN`; `PLACE_UNUSABLE`.
 */
export async function performSetup(
  setup: Capstan['setup'],
  effect: SetupEffect,
): Promise<SetupInput> {
  try {
    return await perform(setup, effect);
  } catch (error) {
    const field = failedWith(error, 'USAGE') ? error.details.field : undefined;
    if (!isField(field)) throw error;
    return { kind: 'refused', field, message: messageOf(error) };
  }
}

async function perform(setup: Capstan['setup'], effect: SetupEffect): Promise<SetupInput> {
  switch (effect.kind) {
    case 'cost':
      return { kind: 'cost', cost: await setup.checkCost(effect.access) };
    case 'models':
      return { kind: 'models', served: await setup.models(effect.access) };
    case 'check':
      return { kind: 'checked', check: await setup.check(effect.access) };
    case 'propose':
      return { kind: 'proposed', proposal: await setup.propose(effect.selection) };
    case 'write':
      await setup.write(effect.proposal);
      return { kind: 'written' };
  }
}

const isField = (field: string | undefined): field is SetupField =>
  field === 'key' || field === 'baseUrl' || field === 'models';
