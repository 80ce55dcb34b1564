import type { ComponentProps, ReactNode } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  readonly word: ReactNode;
  /** Classes besides `btn`: `main`, `quiet`, `push`. */
  readonly look?: string;
  /** The key that does the same. */
  readonly hotkey?: string;
}

/** A button with a text. */
export const Button = ({ word, look = '', hotkey, ...props }: ButtonProps) => (
  <button type="button" className={`btn ${look}`} {...props}>
    {word} {hotkey && <kbd>{hotkey}</kbd>}
  </button>
);
