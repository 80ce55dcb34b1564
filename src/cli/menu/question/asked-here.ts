/** Questions that were printed by this process, so that their end is printed once: by them. Full ids. */
const asked = new Set<string>();

export const noteAskedHere = (approvalId: string): void => void asked.add(approvalId);

export const wasAskedHere = (approvalId: string): boolean => asked.has(approvalId);
