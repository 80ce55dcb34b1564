/** An ISO 8601 time as people read it: `2026-11-21 07:20:03 UTC`. */
export const shortTime = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;
