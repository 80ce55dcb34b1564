import type { Page } from 'playwright-core';

/** What a page measured about itself since it was opened. */
export interface Measured {
  /** The durations of tasks above 50 ms, in ms. */
  readonly longTasks: readonly number[];
  /** The sum of layout shifts that no input caused. */
  readonly layoutShift: number;
  /** The numbers of the events that arrived, by the run they belong to. */
  readonly numbers: Readonly<Record<string, readonly number[]>>;
}

const observers = `
  window.measured = { longTasks: [], layoutShift: 0, numbers: {} };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) measured.longTasks.push(Math.round(duration));
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) measured.layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  const fetchBefore = window.fetch;
  const readNumbers = async (run, body) => {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const numbers = (measured.numbers[run] ??= []);
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\\n');
      rest = lines.pop();
      for (const line of lines) if (line.startsWith('id: ')) numbers.push(Number(line.slice(4)));
    }
  };
  window.fetch = async (...args) => {
    const response = await fetchBefore(...args);
    const run = /\\/runs\\/([^/]+)\\/events/.exec(String(args[0]))?.[1];
    if (run && response.ok) readNumbers(run, response.clone().body).catch(() => {});
    return response;
  };`;

/** Measures the page from its next navigation on. */
export const watchPage = (page: Page): Promise<unknown> => page.addInitScript(observers);

export const measuredOn = (page: Page): Promise<Measured> => page.evaluate('measured');
