import { shorten } from '../../text/shorten.ts';
import { FIXED_SPACE, wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import type { RunModel } from './run-model.ts';

/** Longest text of a step in the plan, in characters. */
const MAX_STEP_CHARS = 60;

/**
 * `Plan: 1 Run the cart tests · 2 Fix the cause (after 1)`: the steps that have not started. Nothing for a plan of one
 * step, which says what the task says.
 */
export function planLines({ steps }: RunModel, { width, symbols, style }: Frame): string[] {
  const open = steps.filter(({ state }) => state === 'waiting');
  if (steps.length < 2 || open.length === 0) return [];
  const texts = open.map(({ number, description, after }) => {
    const needs = after.length > 0 ? ` (after ${after.join(', ')})` : '';
    return `${number}${FIXED_SPACE}${shorten(description, MAX_STEP_CHARS)}${needs}`;
  });
  return wrapProse(`Plan: ${texts.join(symbols.separator)}`, width - 2).map((line) =>
    style.dim(`  ${line}`),
  );
}
