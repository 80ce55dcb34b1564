/** The text as a sentence that another one may follow: with a full stop, unless it ends with a mark of its own. Empty stays empty. */
export function withFullStop(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…:]["')\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
