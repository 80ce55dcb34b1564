import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useOverview } from '../lib/use-overview.ts';
import { Icon } from '../parts/icon.tsx';
import { Connection } from './connection.tsx';
import { places } from './places.ts';
import { State } from './state.tsx';

/** The frame of every page: navigation, and the state of Capstan. */
export function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const waiting = useOverview().data?.waiting ?? 0;
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
        <State />
      </header>
      <main id="main" tabIndex={-1}>
        <Connection />
        {children}
      </main>
    </>
  );
}
