import { useLayoutEffect, useRef } from 'react';

/** The boxes of a request, which scroll. */
const BOXES = '.diff, .request, .plan-steps';
/** Between the column and the edge of the window. */
const EDGE_PX = 16;

/**
 * Measures what the style of the column needs to be as tall as the window allows, with its dock in view: `--above`, the
 * height of the window above it, and `--around`, the height of the dock without the boxes of its request.
 */
export function useRoom() {
  const column = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current: talk } = column;
    const dock = talk?.querySelector<HTMLElement>('.dock');
    if (!talk || !dock) return;
    const measure = () => {
      const top = talk.parentElement?.getBoundingClientRect().top ?? 0;
      const boxes = [...dock.querySelectorAll<HTMLElement>(BOXES)];
      const around = boxes.reduce((rest, box) => rest - box.offsetHeight, dock.offsetHeight);
      talk.style.setProperty('--above', `${Math.max(EDGE_PX, Math.round(top))}px`);
      talk.style.setProperty('--around', `${around}px`);
    };
    measure();
    const sizes = new ResizeObserver(() => requestAnimationFrame(measure));
    for (const part of [dock, document.body]) sizes.observe(part);
    addEventListener('scroll', measure, { passive: true });
    return () => {
      sizes.disconnect();
      removeEventListener('scroll', measure);
    };
  }, []);
  return column;
}
