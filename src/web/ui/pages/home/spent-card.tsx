import { useOverview } from '../../lib/server/use-document.ts';
import { money } from '../../lib/text/format.ts';
import { Bar } from '../../parts/figures/bar.tsx';

/** Today's spending: its share of the daily budget, and by hour. */
export function SpentCard() {
  const { data } = useOverview();
  const spent = data?.spent_today_usd ?? 0;
  const budget = data?.day_budget_usd ?? 0;
  const share = budget > 0 ? spent / budget : 0;
  return (
    <section className="card stat">
      <h2>Spent today</h2>
      <p className="big num">
        {spent === 0 ? '$0' : money(spent)}{' '}
        <span className="sm faint">of ${budget.toFixed(2)}</span>
      </p>
      <Bar
        share={share}
        tone={share >= 0.8 ? 'wait' : 'ink'}
        label={`${Math.round(share * 100)} percent of the daily budget`}
      />
      {data && spent > 0 && <Hours amounts={data.spent_by_hour_usd} />}
    </section>
  );
}

const WIDTH = 10;
const HEIGHT = 40;

function Hours({ amounts }: { amounts: readonly number[] }) {
  const top = Math.max(...amounts);
  const peak = amounts.indexOf(top);
  const hour = new Date().getHours();
  const label = `Spending by hour: highest at ${peak}:00 with ${money(top)}`;
  return (
    <>
      <svg
        className="hours"
        viewBox="0 0 240 40"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {amounts.map((amount, at) => {
          const height = amount === 0 ? 1 : Math.max(2, (amount / top) * HEIGHT);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour
              key={at}
              className={at === hour ? 'f-run' : 'f-ink'}
              x={at * WIDTH}
              y={HEIGHT - height}
              width={WIDTH - 3}
              height={height}
            />
          );
        })}
      </svg>
      <p className="xs faint ends">
        <span>00:00</span>
        <span>12:00</span>
        <span>24:00</span>
      </p>
    </>
  );
}
