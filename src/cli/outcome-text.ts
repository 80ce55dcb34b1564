/**
 * How a run stands, in few words: `completed`, `failed (budget)`, `parked: waits for 2 answers`. A reason that only
 * repeats the status is left out.
 *
 * @param openQuestions How many of its questions nobody has answered.
 */
export function outcomeText(
  { status, reason }: { readonly status: string; readonly reason: string | null },
  openQuestions: number,
): string {
  if (status === 'parked' && openQuestions > 0)
    return `parked: waits for ${openQuestions} ${openQuestions === 1 ? 'answer' : 'answers'}`;
  return reason === null || reason === status ? status : `${status} (${reason})`;
}
