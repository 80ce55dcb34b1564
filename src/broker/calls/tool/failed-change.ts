import type { WireError } from '../../../contract/wire/protocol.ts';
import { stateAt } from '../../../tools/files/path-state.ts';
import { neverSent } from '../../money/settle.ts';
import type { ToolFacts } from './tool-facts.ts';

/** A request that was never sent, or files without their new content: each is replaced atomically. */
export async function changedNothing(thrown: unknown, { effects }: ToolFacts): Promise<boolean> {
  if (effects.length === 0) return neverSent(thrown);
  const now = await Promise.all(effects.map(({ path }) => stateAt(path).catch(() => undefined)));
  return effects.every(({ after }, i) => after === null || now[i] !== after);
}

/** The error of a change that may have taken effect. */
export const withUncertainOutcome = ({ code, message }: WireError): WireError => ({
  code,
  message: `${message} It may have taken effect. Check before retrying.`,
});
