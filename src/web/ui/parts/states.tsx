import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { Problem } from '../lib/server/api.ts';
import { useConnection } from '../lib/server/live.ts';
import { visible } from '../lib/text/format.ts';
import { Icon } from './icon.tsx';
import { Button } from './input/button.tsx';
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

/** Placeholder for a list that has nothing, as far as is known: what the server has is not known without it. */
export const EmptyList: typeof Empty = (props) =>
  useConnection().isLost ? <Empty title="Not known while not connected." /> : <Empty {...props} />;

/** Delay before the placeholder is shown, in milliseconds. */
const PLACEHOLDER_DELAY_MS = 150;

/** Placeholder rows, shown after a short delay. */
export function Loading({ rows = 3 }: { rows?: number | undefined }) {
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

interface PendingProps {
  readonly of: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown };
  readonly rows?: number;
  /** A list to go to instead. */
  readonly list?: FailureProps['list'];
}

/** What is shown instead of a document: its error, or a placeholder while it loads. Nothing once it is there. */
export const Pending = ({ of: { data, error, refetch }, rows, list }: PendingProps) => {
  if (error) return <Failure error={error} retry={() => void refetch()} list={list} />;
  return data ? null : <Loading rows={rows} />;
};

/** A page whose document is not there: with its title, if it can't be read. */
export const Unread = ({ title, ...props }: PendingProps & { readonly title: string }) => (
  <>
    {props.of.error ? <h1>{title}</h1> : null}
    <div className={props.of.error ? 'card unread' : ''}>
      <Pending {...props} rows={6} />
    </div>
  </>
);

interface FailureProps {
  readonly error: unknown;
  readonly retry?: () => void;
  readonly retryWord?: string;
  /** A list to go to instead. */
  readonly list?: { readonly href: string; readonly name: string } | undefined;
}

/** Shows an error and the next steps. A missing document can't be retried. */
export function Failure({ error, retry, retryWord = 'Try again', list }: FailureProps) {
  const words = error instanceof Error ? error.message : String(error);
  const code = error instanceof Problem ? error.code : 'PAGE';
  const isMissing = error instanceof Problem && error.status === 404;
  return (
    <div role="alert">
      <div className="body sm">
        <p className="failure">
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
        {retry && !isMissing && <Button word={retryWord} onClick={retry} />}
        <Button
          word="Copy details"
          look="quiet"
          onClick={() => void navigator.clipboard.writeText(`${code}: ${words}`)}
        />
      </div>
    </div>
  );
}

/** Why an action was refused. Nothing without an error. */
export const Refusal = ({ error, className = '' }: { error: unknown; className?: string }) =>
  error ? (
    <p className={`sm bad ${className}`} role="alert">
      {visible(error instanceof Error ? error.message : String(error))}
    </p>
  ) : null;
