import { Worker } from 'node:worker_threads';
import { messageOf } from '../../contract/errors.ts';
import { builtScript } from '../built-script.ts';
import { failure, type ToolCall } from '../define/call.ts';
import type { PageText } from './html-text.ts';

/** Longest time for one page, in milliseconds. */
const PAGE_MS = 10_000;

/**
 * Readable text of a page, worked out in a worker that is ended when the page is made to take forever.
 *
 * @throws AppError `TOOL_FAILED`.
 */
export async function pageText(html: string, baseUrl: URL, call: ToolCall): Promise<PageText> {
  const { signal, timeoutMs } = call.context;
  const worker = new Worker(builtScript('page-text-worker.cjs', call.tool), {
    workerData: { html, baseUrl: baseUrl.href },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  try {
    return await new Promise<PageText>((resolve, reject) => {
      const stop = () => reject(new Error('it takes too long to read'));
      const timer = setTimeout(stop, Math.min(PAGE_MS, timeoutMs));
      signal.addEventListener('abort', stop, { once: true });
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        reject(new Error('its text could not be worked out'));
      });
    });
  } catch (error) {
    throw failure(call, `the page at ${baseUrl.href} can't be read: ${messageOf(error)}`, error);
  } finally {
    await worker.terminate();
  }
}
