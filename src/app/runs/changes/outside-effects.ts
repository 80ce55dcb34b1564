import { hadEffect } from '../../../broker/intent/record.ts';
import type { IntentRecord, IntentStatus } from '../../../contract/intent.ts';

/** An operation with effects outside the files of the workspace, which can't be undone. */
export interface OutsideEffect {
  readonly intent_id: string;
  readonly subtask_id: string;
  readonly capsule_id: string;
  readonly kind: 'command' | 'request' | 'service' | 'other';
  /** The operation and its target: `http_api.POST https://example.com/orders`. */
  readonly what: string;
  readonly status: IntentStatus;
  readonly at: string | null;
}

/**
 * The operations of a run that may have changed something beyond the files of its workspace.
 *
 * @param isolation Of the run: only at level A or B a command with access to read changes nothing.
 */
export const outsideEffects = (
  intents: readonly IntentRecord[],
  isolation: string,
): OutsideEffect[] =>
  intents
    .filter((intent) => intent.kind !== 'chat' && hadEffect(intent))
    .filter((intent) => !isFileOperation(intent) && !isHarmless(intent, isolation))
    .map((intent) => ({
      intent_id: intent.id,
      subtask_id: intent.subtaskId,
      capsule_id: intent.capsuleId,
      kind: kindOf(intent),
      what: `${intent.name} ${intent.target}`.trim(),
      status: intent.status,
      at: intent.endedAt ?? intent.startedAt,
    }));

const isFileOperation = ({ name }: IntentRecord): boolean => /^(file_io|sql_query)\b/.test(name);

const isCommand = ({ name }: IntentRecord): boolean => /^(terminal|python_exec)\./.test(name);

function isHarmless(intent: IntentRecord, isolation: string): boolean {
  if (!isCommand(intent) || !intent.name.endsWith('.read')) return false;
  const { args } = intent.request as { readonly args?: { readonly network?: unknown } };
  return /^[AB]\b/.test(isolation) && args?.network === undefined;
}

function kindOf(intent: IntentRecord): OutsideEffect['kind'] {
  if (isCommand(intent)) return 'command';
  if (intent.kind === 'http') return 'service';
  return /^(http_api|web_fetch)\b/.test(intent.name) ? 'request' : 'other';
}
