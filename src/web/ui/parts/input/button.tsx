import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly word: ReactNode;
  /** Classes besides `btn`: `main`, `quiet`, `push`. */
  readonly look?: string;
  /** The key that does the same. */
  readonly hotkey?: string;
  readonly icon?: IconName;
}

/** A button with a text. */
export const Button = ({ word, look = '', hotkey, icon, ...props }: ButtonProps) => (
  <button type="button" className={`btn ${look}`} {...props}>
    {icon && <Icon name={icon} />}
    {word} {hotkey && <kbd>{hotkey}</kbd>}
  </button>
);
