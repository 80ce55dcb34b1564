import { ExplainedIntent } from '../../broker/explain-intent.ts';
import type { AppError } from '../../contract/errors.ts';
import { issueLine } from '../../contract/text/issue-line.ts';
import { usage } from '../../contract/usage.ts';

export type { ExplainedIntent };

/**
 * Checks an intent that is to be explained.
 *
 * @param place Names it in the error: `intents[0]`, `intents.jsonl:3`.
 */
export function parseIntent(value: unknown, place: string): ExplainedIntent {
  const parsed = ExplainedIntent.safeParse(value);
  if (parsed.success) return parsed.data;
  const hasUnknown = parsed.error.issues.some(({ code }) => code === 'unrecognized_keys');
  const fix = hasUnknown ? '; the arguments of the tool belong in "args"' : '';
  throw invalidIntent(place, `${issueLine(parsed.error)}${fix}.`);
}

export const invalidIntent = (place: string, issues: string): AppError<'USAGE'> =>
  usage(
    `${place}: ${issues} An intent looks like {"capsule": "file-clerk", "tool": "file_io", "args": {"operation": "read", "path": "a.txt"}}.`,
  );
