import { type FocusEvent, useEffect, useState } from 'react';
import type { RunRow } from '../../../../contract/documents/run-documents.ts';

/**
 * Holds new runs back while the list has the pointer or the focus or is scrolled, so that no line moves while it is read.
 *
 * @param place Identifies the list. A change releases the held runs.
 */
export function useHeld(known: readonly RunRow[], place: string) {
  const [held, setHeld] = useState<{ readonly place: string; readonly newest: string }>();
  const newest = known[0]?.id ?? '';
  const runs = held && held.place === place ? known.filter(({ id }) => id <= held.newest) : known;
  const hold = () => setHeld((now) => (now?.place === place ? now : { place, newest }));
  const show = () => setHeld(undefined);
  const release = () => {
    if (window.scrollY === 0) show();
  };
  useEffect(() => {
    const onScroll = () => window.scrollY > 0 && hold();
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  });
  return {
    runs,
    newCount: known.length - runs.length,
    show,
    /** Props for the element around the list. */
    area: {
      onPointerEnter: hold,
      onPointerLeave: release,
      onFocus: hold,
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) release();
      },
    },
  };
}
