import type { ReactNode } from 'react';

interface RowsProps<One> {
  readonly of: readonly One[];
  /** Shown if there are none. */
  readonly empty?: string | undefined;
  readonly className?: string;
  /** Makes the list item of each. */
  readonly children: (one: One) => ReactNode;
}

/** A list of rows. */
export const Rows = <One,>({ of, empty, className = '', children }: RowsProps<One>) => (
  <>
    {of.length === 0 && empty && <p className="body sm dim">{empty}</p>}
    <ul className={`rows ${className}`}>{of.map(children)}</ul>
  </>
);
