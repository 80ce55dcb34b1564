import { moneyOf } from '../lib/format.ts';
import { useConnection } from '../lib/live.ts';
import { useOverview } from '../lib/use-overview.ts';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/status.tsx';

/** Connection, isolation level and today's spending. */
export function State() {
  const { isConnected } = useConnection();
  const overview = useOverview().data;
  return (
    <ul className="state" aria-label="State">
      <li>
        <Mark status={isConnected ? 'completed' : 'unknown'} isHidden />
        <span>{isConnected ? 'Connected' : 'Not connected'}</span>
      </li>
      <li>
        <Icon name="lock" />
        <span>Isolation</span>
        {overview && <span className="num lvl">{overview.isolation.level}</span>}
      </li>
      <li>
        <Icon name="cost" />
        <span>Today</span>
        {overview && (
          <span className="num">{moneyOf(overview.spent_today_usd, overview.day_budget_usd)}</span>
        )}
      </li>
    </ul>
  );
}
