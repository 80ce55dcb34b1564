import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Problem } from '../lib/api.ts';
import { Icon } from './icon.tsx';
import { Mark } from './status.tsx';

/** Placeholder for an empty list: what is missing, and how to get it. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty">
    <Icon name="capstan" />
    <p>
      <strong>{title}</strong>
    </p>
    {children && <p className="sm">{children}</p>}
  </div>
);

/** Delay before the placeholder is shown, in milliseconds. */
const PLACEHOLDER_DELAY_MS = 150;

/** Placeholder rows, shown after a short delay. */
export function Loading({ rows = 3 }: { rows?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PLACEHOLDER_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" className="loading">
      <span className="vh">Loading</span>
      {isShown && (
        <ul className="rows" aria-hidden="true">
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: all alike
            <li key={row} className="row">
              <span className="bone w1" />
              <span className="bone w2" />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly retry?: () => void;
  /** A list to go to instead. */
  readonly list?: { readonly href: string; readonly name: string };
}

/** Shows an error and the next steps. A missing document can't be retried. */
export function Failure({ error, retry, list }: FailureProps) {
  const words = error instanceof Error ? error.message : String(error);
  const code = error instanceof Problem ? error.code : 'PAGE';
  const isMissing = error instanceof Problem && error.status === 404;
  return (
    <div role="alert">
      <div className="body sm">
        <p>
          <Mark status="failed" isHidden /> <strong>{words}</strong>
        </p>
        <p className="dim mono">{code}</p>
      </div>
      <div className="answers">
        {list && (
          <Link className="btn" href={list.href}>
            {list.name}
          </Link>
        )}
        {retry && !isMissing && (
          <button type="button" className="btn" onClick={retry}>
            Try again
          </button>
        )}
        <button
          type="button"
          className="btn quiet"
          onClick={() => void navigator.clipboard.writeText(`${code}: ${words}`)}
        >
          Copy details
        </button>
      </div>
    </div>
  );
}
