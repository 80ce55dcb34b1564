/** Full ids of the questions that this process printed. Their question part prints the answer; the run part must not. */
const asked = new Set<string>();

/** Records that this process printed the question. */
export const noteAskedHere = (approvalId: string): void => void asked.add(approvalId);

/** Whether this process printed the question. */
export const wasAskedHere = (approvalId: string): boolean => asked.has(approvalId);
