import { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Refusal } from '../../policy/decide/decision.ts';
import { aboutIntent } from '../intent/record.ts';
import type { QuestionParts } from './question.ts';

/** Reports that an intent of the coordinator about a capsule was denied. Returns the outcome for its row. */
export function refusedOutcome(
  intent: IntentRecord,
  { reason, sentence }: Pick<Refusal, 'reason' | 'sentence'>,
  { events }: QuestionParts,
): { readonly ok: false; readonly error: { readonly code: string; readonly message: string } } {
  const what = `${intent.name} ${intent.target}`;
  events.emit({ type: 'intent.denied', ...aboutIntent(intent), what, reason, sentence });
  const { code, message } = new AppError('INTENT_DENIED', { what, reason, sentence });
  return { ok: false, error: { code, message } };
}
