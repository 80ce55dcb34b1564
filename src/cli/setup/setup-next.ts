import type { SetupAccess } from '../../app/setup/setup-provider.ts';
import type { SetupEffect, SetupLine, SetupState, SetupStep } from './setup-step.ts';

type Lines = readonly SetupLine[];

const nothing = { prompt: null, effect: null, outcome: null };

/** Asks the person; the answer is the next input. */
export const ask = (state: SetupState, text: string, lines: Lines = []): SetupStep => ({
  ...nothing,
  state,
  lines,
  prompt: { text, isHidden: state.at === 'key' },
});

/** Has the surface do something; its result is the next input. */
export const perform = (state: SetupState, effect: SetupEffect, lines: Lines = []): SetupStep => ({
  ...nothing,
  state,
  lines,
  effect,
});

export const end = (
  state: SetupState,
  outcome: NonNullable<SetupStep['outcome']>,
  lines: Lines,
): SetupStep => ({ ...nothing, state: { ...state, at: 'ended', key: undefined }, lines, outcome });

/** How to reach the chosen provider with what was typed. */
export function accessOf({ provider, key, baseUrl }: SetupState): SetupAccess {
  const id = provider?.id;
  if (id === undefined || id === 'none') throw new Error('No provider was chosen.');
  return { provider: id, key, baseUrl };
}
