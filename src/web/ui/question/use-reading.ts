import { useEffect, useRef, useState } from 'react';

/** The boxes of a request. Each may scroll by itself. */
const BOXES = '.diff, .request, .plan-steps';
const SLACK_PX = 8;
/** Lines that stay visible when a box scrolls on. */
const KEPT_PX = 40;
/** The least by which a small box scrolls. */
const MIN_STEP_PX = 20;
/** Room below a box for the bars at the bottom of the window. */
const BELOW_PX = 160;
/** The least of a question that is in view. */
const VISIBLE_PX = 32;

/** How much of a question was shown: any answer requires its heading, allowing it the whole request. */
export type Reading = ReturnType<typeof useReading>;

/** @param binding Identifies the request; another one is not shown yet. */
export function useReading(binding: string) {
  const place = useRef<HTMLDivElement>(null);
  const look = useRef<() => HTMLElement | undefined>(() => undefined);
  const [isRead, setRead] = useState(false);
  const [held, setHeld] = useState<'question' | 'request' | undefined>();
  const isHeadSeen = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins again for each request
  useEffect(() => {
    setHeld(undefined);
    isHeadSeen.current = false;
    const read = new WeakSet<Element>();
    let isDone = false;
    look.current = () => {
      const request = place.current;
      isHeadSeen.current ||= isUncovered(cardOf(request)?.firstElementChild);
      if (isDone || !request) return undefined;
      const boxes = [...request.querySelectorAll<HTMLElement>(BOXES)];
      for (const box of boxes) if (isEndShown(box, request)) read.add(box);
      const next = boxes.find((box) => !read.has(box));
      isDone = next === undefined;
      setRead(isDone);
      return next;
    };
    const onMove = () => void look.current();
    const sizes = new ResizeObserver(onMove);
    if (place.current) sizes.observe(place.current);
    addEventListener('scroll', onMove, { capture: true, passive: true });
    addEventListener('resize', onMove);
    return () => {
      sizes.disconnect();
      removeEventListener('scroll', onMove, { capture: true });
      removeEventListener('resize', onMove);
    };
  }, [binding]);
  const readOn = (): boolean => {
    const box = look.current();
    if (box) showMore(box);
    return box === undefined;
  };
  /** @returns Whether the question is in view. If not, brings it into view. */
  const comeIntoView = (): boolean => {
    look.current();
    const card = cardOf(place.current);
    const isInView = isHeadSeen.current && card !== undefined && isOnScreen(card);
    if (!isInView) card?.scrollIntoView();
    return isInView;
  };
  const readToEnd = () => {
    const box = look.current();
    if (box) foldOf(box)?.click();
    // What was folded is shown by then.
    requestAnimationFrame(() => {
      if (!box) return;
      box.scrollTop = box.scrollHeight;
      box.style.scrollMarginBottom = `${BELOW_PX}px`;
      box.scrollIntoView({ block: 'end' });
    });
  };
  return {
    place,
    /** Shows the end of the box that is being read. */
    readToEnd,
    /** Whether the end of every box was visible. */
    isRead,
    /** What was not shown before the last answer, which was held back for it. */
    held,
    /** @returns Whether everything was shown. If not, shows more. */
    readOn,
    /** Whether an answer may be sent. If not, it is held back, and what is missing is shown. */
    isPermitted(isAllowing: boolean): boolean {
      const missing = comeIntoView() ? isAllowing && !readOn() && 'request' : 'question';
      setHeld(missing || undefined);
      return !missing;
    },
  };
}

const cardOf = (request: Element | null) => request?.closest('.ask') ?? undefined;

/** Whether a card is in the window, at least the end of it. */
function isOnScreen(card: Element): boolean {
  const { top, bottom } = card.getBoundingClientRect();
  return top < innerHeight - VISIBLE_PX && bottom > VISIBLE_PX;
}

/** Whether the middle of an element can be seen. Messages do not count: an answer is not held back for them. */
function isUncovered(element: Element | null | undefined): boolean {
  if (!element) return false;
  const { left, top, width, height } = element.getBoundingClientRect();
  const there = document.elementsFromPoint(left + width / 2, top + height / 2);
  return element.contains(there.find((one) => !one.closest('.toast')) ?? null);
}

const restOf = (box: Element) => box.scrollHeight - box.scrollTop - box.clientHeight;
/** The button that shows the folded lines of a box. */
const foldOf = (box: Element) => box.querySelector<HTMLElement>(':scope > .btn');

/** Whether the end of a box is unfolded, scrolled to, and covered by nothing. */
function isEndShown(box: Element, request: Element): boolean {
  if (restOf(box) > SLACK_PX || foldOf(box)) return false;
  const { left, width, bottom } = box.getBoundingClientRect();
  const shown = document.elementFromPoint(left + width / 2, bottom - SLACK_PX);
  return request.contains(shown);
}

function showMore(box: HTMLElement): void {
  if (restOf(box) > SLACK_PX) {
    box.scrollIntoView({ block: 'nearest' });
    box.scrollTop += Math.max(MIN_STEP_PX, box.clientHeight - KEPT_PX);
  } else if (foldOf(box)) {
    foldOf(box)?.click();
  } else {
    // Moves everything that scrolls. A long box is shown in steps of half a window.
    const missing = box.getBoundingClientRect().bottom - innerHeight + BELOW_PX;
    const later = Math.max(0, missing - innerHeight / 2);
    box.style.scrollMarginBottom = `${BELOW_PX - later}px`;
    box.scrollIntoView({ block: 'end' });
  }
}
