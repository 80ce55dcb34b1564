/**
 * What a remembered answer about money covers: `runs to spend at openai, each up to its limit`.
 * It is for a provider or service, whichever capsule asks.
 */
export function spendCovered(target: string, answer: 'approve' | 'deny'): string {
  const limit = answer === 'approve' ? ', each up to its limit' : '';
  return `runs to spend at ${target.split('/')[0] ?? target}${limit}`;
}

/** `Limit: $1.00 now (CAPSTAN_BUDGET_RUN_USD). Unknown prices are asked about.` */
export function spendLimit(question: string): string {
  const [, limit] = /^Allow this run to spend up to (\$[\d.]+)/.exec(question) ?? [];
  const now = limit === undefined ? '' : `Limit: ${limit} now (CAPSTAN_BUDGET_RUN_USD). `;
  return `${now}Unknown prices are asked about.`;
}
