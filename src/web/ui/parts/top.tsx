import type { ReactNode } from 'react';

interface TopProps {
  readonly title: ReactNode;
  /** Content above the title. */
  readonly crumb?: ReactNode;
  /** Content below the title. */
  readonly meta?: ReactNode;
  /** Actions beside the title. */
  readonly children?: ReactNode;
}

/** The title of a page. */
export const Top = ({ title, crumb, meta, children }: TopProps) => (
  <div className="top">
    <div>
      {crumb && <p className="crumb">{crumb}</p>}
      <h1>{title}</h1>
      {meta !== undefined && <div className="meta">{meta}</div>}
    </div>
    <div className="actions">{children}</div>
  </div>
);
