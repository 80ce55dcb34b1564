import { type ReactNode, useId } from 'react';

interface CardProps {
  readonly title: string;
  readonly id?: string;
  readonly className?: string;
  /** Content beside the title. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a page with a heading. */
export function Card({ title, id, className = '', head, children }: CardProps) {
  const heading = useId();
  return (
    <section className={`card ${className}`} id={id} aria-labelledby={heading}>
      <div className="head">
        <h2 id={heading}>{title}</h2>
        {head}
      </div>
      {children}
    </section>
  );
}
