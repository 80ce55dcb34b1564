import type { HandlerContext } from '../context.ts';
import { TaskError } from '../task-error.ts';

export interface Page {
  readonly url: string;
  readonly final_url: string;
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

/**
 * Fetches the readable text of a page.
 *
 * @throws TaskError `FETCH_FAILED` if the status is not 2xx.
 */
export async function fetchPage(context: HandlerContext, url: string): Promise<Page> {
  context.progress(`fetching ${url}`);
  const page = (await context.call('web_fetch', { url }, 'The task names this address')) as Page;
  if (page.status >= 200 && page.status < 300) return page;
  throw new TaskError(
    'FETCH_FAILED',
    `${url} answered with status ${page.status}; nothing was read.`,
  );
}

/** A complete page. @throws TaskError `INPUT_TOO_LARGE`. */
export async function fetchWhole(context: HandlerContext, url: string): Promise<Page> {
  const page = await fetchPage(context, url);
  if (!page.truncated) return page;
  throw new TaskError(
    'INPUT_TOO_LARGE',
    `${url} is too large (${page.bytes} bytes) to be read as a whole, and a part would not answer the task.`,
  );
}

interface RawAnswer {
  readonly status: number;
  readonly body: string;
  readonly bytes: number;
  readonly binary?: boolean;
  readonly truncated: boolean;
}

/**
 * Fetches an address without converting the answer.
 *
 * @throws TaskError `FETCH_FAILED`, `INPUT_TOO_LARGE`, or `NOT_SUPPORTED` if it is not UTF-8 text.
 */
export async function fetchRaw(context: HandlerContext, url: string): Promise<string> {
  context.progress(`downloading ${url}`);
  const args = { method: 'GET', url };
  const answer = (await context.call('http_api', args, 'The task names this address')) as RawAnswer;
  if (answer.status < 200 || answer.status >= 300) {
    throw new TaskError(
      'FETCH_FAILED',
      `${url} answered with status ${answer.status}; nothing was saved.`,
    );
  }
  if (answer.truncated) {
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${url} is too large (${answer.bytes} bytes) to be saved as a whole.`,
    );
  }
  if (answer.binary !== true && new TextEncoder().encode(answer.body).length === answer.bytes)
    return answer.body;
  throw new TaskError(
    'NOT_SUPPORTED',
    `${url} is not UTF-8 text. Without a language model, only text can be saved.`,
  );
}
