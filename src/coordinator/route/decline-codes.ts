/** Error codes with which a handler declines a task before it has had an effect. */
export const DECLINE_CODES: ReadonlySet<string> = new Set([
  'NOT_UNDERSTOOD',
  'NOT_SUPPORTED',
  'NEEDS_MODEL',
  'NOT_FOR_ME',
]);
