import { isCounted, type PaidCall } from './paid-call.ts';

/** Warns once a run and limit, when four fifths of it are spent. A raised limit is another limit. */
export function warnOfBudgets(call: PaidCall): void {
  if (!isCounted(call)) return;
  const { parts, scope, intent } = call;
  for (const { rule, what, setting, used, limit } of parts.budget.nearlySpent(
    intent,
    scope.run.policy,
  )) {
    const unit = rule === 'token_budget' ? 'tokens' : 'usd';
    const amount = (value: number) => (unit === 'usd' ? value / 1e6 : value);
    const capsuleId = rule.startsWith('capsule') ? intent.capsuleId : null;
    const runId = scope.run.id;
    if (parts.budget.wasWarned({ runId, rule, capsuleId, limit: amount(limit) })) continue;
    parts.events.emit({
      type: 'budget.warned',
      run_id: scope.run.id,
      rule,
      what,
      capsule_id: capsuleId,
      setting,
      unit,
      used: amount(used),
      limit: amount(limit),
    });
  }
}
