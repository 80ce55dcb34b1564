import type { ToolCallRequest } from '../../../contract/chat.ts';
import type { AgentResponse } from '../../../contract/protocol.ts';
import { failed, succeeded } from '../response.ts';
import type { Loop } from './loop.ts';

/** How often the model may ask for a write that was done, before the attempt ends. */
const MAX_ASKED_AGAIN = 2;

const DONE =
  'Not performed again: this same write succeeded, and nothing was changed since. Call "final" now if the task is done.';

/** What the model gets in place of a write that is identical to the last change; undefined if the call must be made. */
export function sameWrite(loop: Loop, call: ToolCallRequest): string | undefined {
  const { writing } = loop;
  if (!isWrite(call) || writing.last !== keyOf(call)) return undefined;
  writing.askedAgain += 1;
  return DONE;
}

/** Remembers a call that was made. Reading in between changes nothing. */
export function noteWrite({ writing }: Loop, call: ToolCallRequest, isOk: boolean): void {
  if (isReading(call)) return;
  writing.last = isOk && isWrite(call) ? keyOf(call) : undefined;
  writing.askedAgain = 0;
}

/**
 * Ends the attempt of a model that only repeats a write that was done. The files that the step must write are its result: the
 * coordinator checks them.
 */
export function endOfRepetition(
  { writing, request, metrics }: Loop,
  text: string,
): AgentResponse | undefined {
  if (writing.askedAgain < MAX_ASKED_AGAIN) return undefined;
  const { writes = [] } = request.context;
  if (writes.length > 0)
    return succeeded(text.trim() || `Written: ${writes.join(', ')}.`, { metrics });
  const problem = 'The model repeated a write that was done, and did not return a result.';
  return failed('FINAL_MISSING', problem, { metrics });
}

const READING: readonly unknown[] = ['list', 'read', 'search'];

const isWrite = ({ name, args }: ToolCallRequest): boolean =>
  name === 'file_io' && operationOf(args) === 'write';

const isReading = ({ name, args }: ToolCallRequest): boolean =>
  name === 'file_io' && READING.includes(operationOf(args));

const operationOf = (args: unknown): unknown =>
  (args as { readonly operation?: unknown } | null | undefined)?.operation;

const keyOf = ({ args }: ToolCallRequest): string => JSON.stringify(args);
