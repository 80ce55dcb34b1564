import type { AppContext } from '../app-context.ts';

/** `capstan.audit`: the audit trail: verify and export. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface AuditApi {}

export const auditApi = (_context: AppContext): AuditApi => ({});
