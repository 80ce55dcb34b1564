import { type FocusEvent, useLayoutEffect, useRef } from 'react';

const FOCUSABLE = 'textarea:enabled, button:enabled';

/**
 * Keeps the focus in a part of the page: when the focused element is removed or disabled, what took its place gets the focus.
 *
 * @param items Selects the elements that take each other's places. Of one that can't have the focus, its first field or button.
 */
export function useKeptFocus<Part extends HTMLElement>(items: string) {
  const part = useRef<Part>(null);
  const place = useRef<number>(undefined);
  const all = () => [...(part.current?.querySelectorAll<HTMLElement>(items) ?? [])];
  useLayoutEffect(() => {
    if (place.current === undefined || document.activeElement !== document.body) return;
    const found = all();
    const item = found[Math.min(place.current, found.length - 1)];
    const next = item?.matches(FOCUSABLE) ? item : item?.querySelector<HTMLElement>(FOCUSABLE);
    next?.focus({ preventScroll: true });
  });
  return {
    ref: part,
    onFocus({ target }: FocusEvent) {
      place.current = all().findIndex((item) => item.contains(target));
    },
    onBlur({ target }: FocusEvent) {
      if (!target.matches(':disabled')) place.current = undefined;
    },
  };
}
