export type IconName =
  | 'capstan'
  | 'home'
  | 'ask'
  | 'runs'
  | 'caps'
  | 'cost'
  | 'health'
  | 'lock'
  | 'search'
  | 'chev'
  | 'down'
  | 'check'
  | 'x'
  | 'file'
  | 'stop'
  | 'more'
  | 'send';

/** A decoration; the text beside it says the same. */
export const Icon = ({ name, className }: { name: IconName; className?: string }) => (
  <svg aria-hidden="true" className={className}>
    <use href={`#${name}`} />
  </svg>
);
