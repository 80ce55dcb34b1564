/**
 * The status of a run as text: `completed`, `failed (budget)`, `parked: waits for 2 answers`. A reason that equals the
 * status is left out.
 *
 * @param openQuestions The number of unanswered questions of the run.
 */
export function outcomeText(
  { status, reason }: { readonly status: string; readonly reason: string | null },
  openQuestions: number,
): string {
  if (status === 'parked' && openQuestions > 0)
    return `parked: waits for ${openQuestions} ${openQuestions === 1 ? 'answer' : 'answers'}`;
  return reason === null || reason === status ? status : `${status} (${reason})`;
}
