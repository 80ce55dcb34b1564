import { type FocusEvent, useLayoutEffect, useRef } from 'react';

const FOCUSABLE = 'textarea:enabled, button:enabled';

/**
 * Keeps the focus in a part of the page: when the focused element is removed or disabled, what took its place gets the focus.
 * A part with a `tabIndex` gets it itself instead of another item, so that a second Enter does nothing.
 *
 * @param items Selects the elements that take each other's places. Of one that can't have the focus, its first field or button.
 */
export function useKeptFocus<Part extends HTMLElement>(items: string) {
  const part = useRef<Part>(null);
  const place = useRef<{ readonly item: HTMLElement; readonly index: number }>(undefined);
  const all = () => [...(part.current?.querySelectorAll<HTMLElement>(items) ?? [])];
  useLayoutEffect(() => {
    if (place.current === undefined || document.activeElement !== document.body) return;
    const { item, index } = place.current;
    const found = all();
    const isOther = !found.includes(item);
    if (isOther && part.current?.hasAttribute('tabindex'))
      return part.current.focus({ preventScroll: true });
    const taker = isOther ? found[Math.min(index, found.length - 1)] : item;
    const next = taker?.matches(FOCUSABLE) ? taker : taker?.querySelector<HTMLElement>(FOCUSABLE);
    next?.focus({ preventScroll: true });
  });
  return {
    ref: part,
    onFocus({ target }: FocusEvent) {
      const found = all();
      const item = found.find((one) => one.contains(target));
      place.current = item && { item, index: found.indexOf(item) };
    },
    onBlur({ target }: FocusEvent) {
      if (!target.matches(':disabled')) place.current = undefined;
    },
  };
}
