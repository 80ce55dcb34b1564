import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useKeys } from '../../lib/use-keys.ts';
import { Button, type ButtonProps } from './button.tsx';

interface ConfirmProps {
  /** The button that asks for the confirmation. */
  readonly opener: ButtonProps;
  /** The button that confirms. Undefined: there is nothing to do. */
  readonly sure: ButtonProps | undefined;
  readonly isOpen: boolean;
  readonly close: () => void;
  /** What would happen. */
  readonly children: ReactNode;
}

/** A button whose action is confirmed first. *Keep* and Escape close the confirmation, and the focus goes with it. */
export function Confirm({ opener, sure, isOpen, close, children }: ConfirmProps) {
  const place = useRef<HTMLSpanElement>(null);
  const words = useId();
  const wasOpen = useRef(isOpen);
  useKeys({ Escape: isOpen ? close : undefined });
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    // The confirmation itself has the focus, so that a second Enter confirms nothing.
    const { current } = place;
    (isOpen ? current : current?.querySelector('button'))?.focus({ preventScroll: true });
  }, [isOpen]);
  const group = isOpen ? { role: 'group', 'aria-labelledby': words, tabIndex: -1 } : {};
  return (
    <span ref={place} className="undo" {...group}>
      {isOpen ? (
        <>
          <span id={words} className="xs">
            {children}
          </span>
          {sure && <Button {...sure} />}
          <Button word="Keep" look="quiet" onClick={close} />
        </>
      ) : (
        <Button {...opener} />
      )}
    </span>
  );
}
