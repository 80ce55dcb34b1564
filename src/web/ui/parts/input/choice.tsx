import type { ReactNode } from 'react';

interface ChoiceProps {
  /** Accessible name. */
  readonly name: string;
  readonly value: string | undefined;
  readonly set: (value: string) => void;
  /** The options. */
  readonly children: ReactNode;
}

/** A field to choose one of several options. */
export const Choice = ({ name, value = '', set, children }: ChoiceProps) => (
  <label>
    <span className="vh">{name}</span>
    <select className="in" value={value} onChange={(event) => set(event.target.value)}>
      {children}
    </select>
  </label>
);
