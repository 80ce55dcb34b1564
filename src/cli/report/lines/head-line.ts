import type { CapstanEvent } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shortId } from '../../text/short-id.ts';

/** What the first line says besides the models. */
export interface ShownHead {
  readonly id: string;
  /** Level and reason: `A: …`. */
  readonly isolation: string;
}

/** `run 3f9c0a12: claude-sonnet-5 at anthropic, sandbox A (bubblewrap, tested)` */
export function headLine(
  { provider, models }: Extract<CapstanEvent, { type: 'provider.opened' }>,
  { id, isolation }: ShownHead,
): string {
  const model =
    models.length > 0
      ? `${escapeText([...new Set(models)].join(', '))} at ${provider}`
      : 'no model';
  return `run ${shortId(id)}: ${model}, ${sandboxText(isolation)}`;
}

/** `sandbox A (bubblewrap, tested)`, `no sandbox` */
function sandboxText(isolation: string): string {
  const [level = ''] = isolation.split(': ');
  return sandboxes[level] ?? `sandbox ${escapeText(level)}`;
}

const sandboxes: Readonly<Record<string, string>> = {
  A: 'sandbox A (bubblewrap, tested)',
  B: 'sandbox B (no bubblewrap)',
  C: 'sandbox C (too weak for programs)',
  none: 'no sandbox',
};
