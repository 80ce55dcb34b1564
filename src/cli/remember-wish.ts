import { rememberTerms } from '../app/approvals/remember-terms.ts';
import type { Approval, RememberWish } from '../contract/approval.ts';
import { type RememberWords, rememberRequestOf } from './remember-words.ts';

/**
 * What the desk stores for the typed words; undefined if the answer counts this once.
 *
 * @throws AppError `USAGE`, naming the word and what it may be.
 */
export function rememberWishOf(
  words: RememberWords,
  question: Pick<Approval, 'isForced' | 'kind' | 'operation' | 'requestHash'>,
  now: Date,
): RememberWish | undefined {
  const request = rememberRequestOf(words, now);
  return request && rememberTerms(request, question, now);
}
