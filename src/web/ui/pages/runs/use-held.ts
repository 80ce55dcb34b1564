import { type FocusEvent, useEffect, useState } from 'react';
import type { RunRow } from '../../lib/api-documents.ts';

/**
 * Keeps new runs out of a list while the pointer or the keyboard is in it, or it is scrolled, so that no line moves under
 * the reader.
 *
 * @param place The list starts anew where it changes.
 */
export function useHeld(known: readonly RunRow[], place: string) {
  const [held, setHeld] = useState<{ readonly place: string; readonly newest: string }>();
  const newest = known[0]?.id ?? '';
  const runs = held && held.place === place ? known.filter(({ id }) => id <= held.newest) : known;
  const hold = () => setHeld((now) => (now?.place === place ? now : { place, newest }));
  const show = () => setHeld(undefined);
  const letGo = () => {
    if (window.scrollY === 0) show();
  };
  useEffect(() => {
    const onScroll = () => window.scrollY > 0 && hold();
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  });
  return {
    runs,
    fresh: known.length - runs.length,
    show,
    /** For the element around the list. */
    area: {
      onPointerEnter: hold,
      onPointerLeave: letGo,
      onFocus: hold,
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) letGo();
      },
    },
  };
}
