import type { Page } from 'playwright-core';

/** What a page's own observers saw since its document began. */
export interface PageSpeed {
  /** Durations of tasks over 50 ms, in milliseconds. */
  readonly longTasks: readonly number[];
  /** Sum of the layout shifts that no key or click caused. */
  readonly shift: number;
}

const observers = `
  window.pageSpeed = { longTasks: [], shift: 0 };
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) pageSpeed.longTasks.push(Math.round(one.duration));
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) pageSpeed.shift += one.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Observes every document that the page opens from now on. */
export async function observeSpeed(page: Page): Promise<void> {
  await page.addInitScript(observers);
}

/** What was seen in the document that is open. */
export const speedOf = (page: Page): Promise<PageSpeed> => page.evaluate('window.pageSpeed');
