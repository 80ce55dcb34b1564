import type { ReactNode } from 'react';

interface PairsProps {
  readonly className: string;
  /** Names with their values. */
  readonly pairs: readonly (readonly [string, ReactNode])[];
  readonly children?: ReactNode;
}

/** A list of names with their values. */
export const Pairs = ({ className, pairs, children }: PairsProps) => (
  <dl className={className}>
    {pairs.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd className="num">{value}</dd>
      </div>
    ))}
    {children}
  </dl>
);
