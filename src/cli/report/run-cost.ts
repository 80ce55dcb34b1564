import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { vendorFacts } from '../../contract/vendors.ts';
import { formatCost, formatTokens } from '../text/format.ts';

type Costs = Pick<RunDocument, 'provider' | 'cost_usd' | 'estimated_cost_usd' | 'usage'>;

/** `$0.17`, `about $0.17` if a vendor reported no figures, `free (local model)`, `41k tok` if they cost nothing, or undefined. */
export function runCost(costs: Costs): string | undefined {
  const { provider, cost_usd, estimated_cost_usd = 0, usage } = costs;
  if (cost_usd > 0) return `${estimated_cost_usd > 0 ? 'about ' : ''}${formatCost(cost_usd)}`;
  if (vendorFacts(provider)?.isFree) return 'free (local model)';
  const tokens = usage.input_tokens + usage.output_tokens;
  if (tokens > 0) return formatTokens(tokens);
  return provider === '' || provider === 'offline' ? undefined : formatCost(0);
}
