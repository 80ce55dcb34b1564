/** Icons in the sprite of index.html, where their ids begin with `i-`: `cost` is a part of a run. */
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
  | 'send'
  | 'theme'
  | 'keys';

/** A decorative icon. The text beside it must say the same. */
export const Icon = ({ name, className }: { name: IconName; className?: string }) => (
  <svg aria-hidden="true" className={className}>
    <use href={`#i-${name}`} />
  </svg>
);
