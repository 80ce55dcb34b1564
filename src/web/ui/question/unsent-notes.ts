/** Notes that were begun, by question. */
const begun = new Map<string, string>();

/** The note that was begun for a question, and not sent; '' if there is none. */
export const unsentNote = (question: string): string => begun.get(question) ?? '';

/** Keeps a note until it is sent. */
export const keepNote = (question: string, note: string): void =>
  void (note === '' ? begun.delete(question) : begun.set(question, note));

/** What is said about a question that was answered while a note to it was written; '' without one. */
export const unsentWords = (question: string): string => {
  const note = unsentNote(question);
  return note === '' ? '' : ` · your note was not sent: “${note}”`;
};
