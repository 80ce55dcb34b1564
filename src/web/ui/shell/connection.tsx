import { fullTime } from '../lib/format.ts';
import { reconnect, useConnection } from '../lib/live.ts';
import { useNow } from '../lib/use-now.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';

/** A bar shown while the server can't be reached. The page stays readable; answers are disabled. */
export function Connection() {
  const { isLost, lastAt, nextTryAt } = useConnection();
  const now = useNow();
  if (!isLost) return <div role="status" />;
  const seconds = Math.max(0, Math.ceil((nextTryAt - now.getTime()) / 1_000));
  return (
    <div className="off" role="status">
      <Icon name="ask" className="mark" />
      <span>
        <strong>Not connected.</strong> This page shows the state at{' '}
        <time dateTime={lastAt.toISOString()} title={fullTime(lastAt)}>
          {lastAt.toLocaleTimeString('en-GB')}
        </time>
        . Retrying in {seconds} s.
      </span>
      <Button word="Try now" onClick={reconnect} />
    </div>
  );
}
