import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { vendorFacts } from '../../contract/vendors.ts';
import { formatCost } from '../text/format.ts';

type Costs = Pick<RunDocument, 'provider' | 'cost_usd' | 'estimated_cost_usd'>;

/** `$0.17`, `about $0.17` if a vendor reported no figures, `free (local model)`; undefined if no model was used. */
export function runCost({ provider, cost_usd, estimated_cost_usd = 0 }: Costs): string | undefined {
  if (cost_usd > 0) return `${estimated_cost_usd > 0 ? 'about ' : ''}${formatCost(cost_usd)}`;
  if (vendorFacts(provider)?.isFree) return 'free (local model)';
  return provider === '' || provider === 'offline' ? undefined : formatCost(0);
}
