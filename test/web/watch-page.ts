import type { Page } from 'playwright-core';

/** What a page measured about itself since it was opened. */
export interface Measured {
  /** Tasks above 50 ms: `/runs 67 ms`. */
  readonly longTasks: readonly string[];
  /** Layout shifts without input, with what moved: `/runs 0.0120 main.page`. */
  readonly shifts: readonly string[];
  /** The numbers of the events that arrived, by the run they belong to. */
  readonly numbers: Readonly<Record<string, readonly number[]>>;
}

const observers = `
  window.measured = { longTasks: [], shifts: [], numbers: {} };
  const nameOf = ({ node }) => node?.nodeType === 1 ? node.tagName.toLowerCase() + '.' + node.className : 'text';
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      if (duration > 50) measured.longTasks.push(location.pathname + ' ' + Math.round(duration) + ' ms');
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        measured.shifts.push([location.pathname, value.toFixed(4), ...sources.map(nameOf)].join(' '));
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
    const run = /\\/stream\\?run=([^&]+)/.exec(String(args[0]))?.[1];
    if (run && response.ok) readNumbers(run, response.clone().body).catch(() => {});
    return response;
  };`;

/** Measures the page from its next navigation on. */
export const watchPage = (page: Page): Promise<unknown> => page.addInitScript(observers);

export const measuredOn = (page: Page): Promise<Measured> => page.evaluate('measured');
