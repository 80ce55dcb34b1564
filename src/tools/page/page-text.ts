import { messageOf } from '../../contract/errors.ts';
import { builtScript } from '../built-script.ts';
import { failure, type ToolCall } from '../define/call.ts';
import { WorkerThread } from '../worker-thread.ts';
import type { PageText } from './html-text.ts';

/** Time limit for parsing one page, in milliseconds. */
const MAX_PAGE_MS = 10_000;

/**
 * The readable text of a page. It is parsed in a thread, since a page may be made to take forever.
 *
 * @throws AppError `TOOL_FAILED`.
 */
export async function pageText(html: string, baseUrl: URL, call: ToolCall): Promise<PageText> {
  const { signal, timeoutMs } = call.context;
  const workerData = { html, baseUrl: baseUrl.href };
  const script = builtScript('page-text-worker.cjs', call.tool);
  await using thread = new WorkerThread(script, { workerData, maxHeapMb: 256 });
  try {
    return await thread.answer(Math.min(MAX_PAGE_MS, timeoutMs), undefined, signal);
  } catch (error) {
    throw failure(call, `the page at ${baseUrl.href} can't be read: ${messageOf(error)}`, error);
  }
}
