import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { reconnect, useConnection } from '../lib/server/live.ts';
import { useOverview } from '../lib/server/use-document.ts';
import { fullTime, moneyOf } from '../lib/text/format.ts';
import { switchTheme } from '../lib/theme.ts';
import { useNow } from '../lib/use-now.ts';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/status.tsx';
import { places } from './places.ts';

/** The frame of every page: navigation, and the state of Capstan. */
export function Shell({ children, openHelp }: { children: ReactNode; openHelp: () => void }) {
  const [location] = useLocation();
  const known = useOverview().data?.waiting;
  const waiting = known ?? 0;
  useTitle(location, waiting);
  useNotification(known);
  const isCurrent = (path: string) => (path === '/' ? location === '/' : location.startsWith(path));
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="side">
        <Link className="brand" href="/" aria-label="Capstan, home">
          <Icon name="capstan" />
          <span>Capstan</span>
        </Link>
        <nav aria-label="Main">
          <ul>
            {places.map(([path, name, icon, keys]) => (
              <li key={path}>
                <Link href={path} aria-current={isCurrent(path) ? 'page' : undefined}>
                  <Icon name={icon} />
                  <span>{name}</span>
                  {path === '/approvals' && waiting > 0 && (
                    <span className="count">
                      {waiting}
                      <span className="vh"> waiting</span>
                    </span>
                  )}
                  <kbd>{keys}</kbd>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <State openHelp={openHelp} />
      </header>
      <main id="main" tabIndex={-1}>
        <Connection />
        {children}
      </main>
    </>
  );
}

/** Sets the title of the window: `(4) Approvals · Capstan`. */
function useTitle(location: string, waiting: number): void {
  const address = `/${location.split('/')[1] ?? ''}`;
  const name = places.find(([path]) => path === address)?.[1] ?? 'Not found';
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${name} · Capstan`;
  }, [waiting, name]);
}

const mayNotify = () =>
  typeof Notification !== 'undefined' && Notification.permission === 'granted';

/** Notifies a person who allowed it and does not see the page, when more questions wait. All tabs share one notification. */
function useNotification(waiting: number | undefined): void {
  const before = useRef(waiting);
  useEffect(() => {
    const isMore =
      before.current !== undefined && waiting !== undefined && waiting > before.current;
    before.current = waiting;
    if (!isMore || !document.hidden || !mayNotify()) return;
    const words = waiting === 1 ? 'A question waits for you' : `${waiting} questions wait for you`;
    new Notification(words, { tag: 'capstan' }).onclick = () => window.focus();
  }, [waiting]);
}

/** Connection, isolation level, today's spending, the theme and the way to the keys. */
function State({ openHelp }: { openHelp: () => void }) {
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
      <li>
        <button type="button" onClick={switchTheme}>
          <Icon name="theme" />
          <span>Light or dark</span> <kbd>t</kbd>
        </button>
      </li>
      <li className="of-keyboard">
        <button type="button" onClick={openHelp}>
          <Icon name="keys" />
          <span>Keys</span> <kbd>?</kbd>
        </button>
      </li>
    </ul>
  );
}

/** A bar shown while the server can't be reached. The page stays readable; answers are disabled. */
function Connection() {
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
      <button type="button" className="link" onClick={reconnect}>
        Try now
      </button>
    </div>
  );
}
