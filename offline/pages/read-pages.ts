import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { listed, many } from '../files/listed.ts';
import { needleOf } from '../files/text/search-text.ts';
import { linesMatching } from '../files/text/sources.ts';
import { writeFor } from '../files/write-checked.ts';
import { type Filled, form, need } from '../phrases/form.ts';
import { anyCase, needle } from '../phrases/fragments.ts';
import { performTask } from '../phrases/perform-task.ts';
import { summarise, wish, wishBefore } from '../summary/extract-summary.ts';
import { TaskError } from '../task-error.ts';

const can =
  'I fetch addresses that the task names and give their readable text, title, an extract, or lines with a text, and save the text.';
const get =
  '(fetch|read|get|open|visit|load|show|retrieve|browse|download|look at|go to|display|print) [me]';
const page =
  '[[whole] [web] (webpages?|pages?|site|website|article|document|readable text|text|contents?|urls?|address|addresses|file) [of|at|from|on|behind] [page|url|site] [at]] {urls:url+}';
const target =
  '[and (save|write|store) (it|its text|text|page|content|contents|result)] (to|as|into|in) [file] {target:file}';
const tell = '(show|give|tell|print|report|extract|get) [me]';

const forms = [
  form(
    reading,
    'Fetch https://example.com',
    `${get} ${page} [and ${tell} [its|their] [readable] (text|contents?)]`,
    `what (does|is) [on|at] ${page} [say]`,
  ),
  form(
    titles,
    'What is the title of https://example.com?',
    `(what is|get|find|give|show|tell|print|read|fetch|extract|report) [me] [page] titles? of ${page}`,
    `(fetch|get|read|open|visit) ${page} and ${tell} [its|their|page] titles?`,
  ),
  form(saving, 'Download https://example.com to page.html', `isRaw:(download) ${page} ${target}`),
  form(
    saving,
    'Save https://example.com as page.txt',
    `(${get}|save|store|write) ${page} ${target}`,
  ),
  form(
    async (filled, context) =>
      summarise(
        filled,
        (await pagesOf(filled, context)).map((one) => ({ ...one, name: headline(one) })),
      ),
    'Summarise https://example.com',
    `(summarise|summarize|condense) ${page} ${wish}`,
    `(give|write|make|create|show|get) [me] ${wishBefore} (summary|extract) of ${page} ${wish}`,
  ),
  form(
    searching,
    'Find "price" on https://example.com',
    `(search|look|check|find) [for] ${needle} (in|on|at|from) ${page} ${anyCase}`,
    `(search|check|scan) ${page} for ${needle} ${anyCase}`,
    `(find|show|list|extract|get) [all] lines [that] (contain|containing|with|mention|mentioning) ${needle} (in|on|from|of) ${page} ${anyCase}`,
    `(does|check (if|whether)) ${page} (mentions?|contains?|says?|includes?) ${needle} ${anyCase}`,
  ),
  form(
    counting,
    'Count the words on https://example.com',
    `(count|how many) words [are] (in|on|of|from) ${page}`,
  ),
];

/** Reads pages that the task names. */
export const readPages: Handler = (context) => performTask(context, { forms, can });

interface Page {
  readonly url: string;
  readonly final_url: string;
  readonly title: string;
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly bytes: number;
  readonly binary?: boolean;
  readonly truncated: boolean;
}

/** @throws TaskError `FETCH_FAILED` if the status is not 2xx. */
async function fetched<T>(
  context: HandlerContext,
  tool: string,
  args: { readonly url: string; readonly method?: string },
): Promise<T> {
  context.progress(`fetching ${args.url}`);
  const answer = (await context.call(tool, args, 'The task names this address')) as Answer;
  if (answer.status >= 200 && answer.status < 300) return answer as T;
  throw new TaskError(
    'FETCH_FAILED',
    `${args.url} answered with status ${answer.status}; nothing was read or saved.`,
  );
}

async function pagesOf(filled: Filled, context: HandlerContext): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (const url of filled.texts('urls')) pages.push(await fetched(context, 'web_fetch', { url }));
  return pages;
}

const headline = ({ url, final_url, title, bytes, truncated }: Page) => {
  const moved = final_url === url ? '' : ` (led to ${final_url})`;
  const named = title === '' ? '' : ` "${title}"`;
  return `${url}${moved}${named}, ${bytes} bytes${truncated ? '; the text is cut, the page is longer' : ''}`;
};

/** The only address of a form. @throws TaskError `AMBIGUOUS`. */
function onlyUrl(filled: Filled): string {
  const [url = '', ...others] = filled.texts('urls');
  if (others.length === 0) return url;
  throw new TaskError('AMBIGUOUS', 'This is done for one address at a time: name one.');
}

/** @throws TaskError `INPUT_TOO_LARGE` if a part is all that can be read. */
function whole<T extends { readonly bytes: number; readonly truncated: boolean }>(
  url: string,
  found: T,
): T {
  if (!found.truncated) return found;
  throw new TaskError(
    'INPUT_TOO_LARGE',
    `${url} is too large (${found.bytes} bytes) to be read as a whole, and a part would not answer the task.`,
  );
}

async function wholePage(filled: Filled, context: HandlerContext): Promise<Page> {
  const url = onlyUrl(filled);
  return whole(url, await fetched<Page>(context, 'web_fetch', { url }));
}

async function reading(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const pages = await pagesOf(filled, context);
  const text = pages.map((one) => `${headline(one)}:\n\n${one.text.trim()}`).join('\n\n');
  const [only, ...others] = pages;
  if (only === undefined || others.length > 0) return { text, data: { pages } };
  return { text, data: { url: only.url, title: only.title, content: only.text } };
}

async function titles(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const pages = await pagesOf(filled, context);
  const lines = pages.map(({ url, title }) =>
    title === '' ? `${url} has no title.` : `${url}: ${title}`,
  );
  const rows = pages.map(({ url, title }) => [url, title]);
  return { text: lines.join('\n'), data: { columns: ['url', 'title'], rows } };
}

/** Saves the readable text of a page, or what its address answers. */
async function saving(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'target');
  if (filled.has('isRaw')) {
    const content = await fetchRaw(context, onlyUrl(filled));
    const reason = `Downloaded ${onlyUrl(filled)} to ${path}`;
    return writeFor(filled, context, { path, content, reason });
  }
  const found = await wholePage(filled, context);
  const reason = `Saved the readable text of ${headline(found)} as ${path}`;
  return writeFor(filled, context, { path, content: found.text, reason });
}

/** What an address answers, as it is. @throws TaskError `NOT_SUPPORTED` if it is not UTF-8 text. */
async function fetchRaw(context: HandlerContext, url: string): Promise<string> {
  const args = { method: 'GET', url };
  const { binary, body, bytes } = whole(url, await fetched<Answer>(context, 'http_api', args));
  if (binary !== true && Buffer.byteLength(body) === bytes) return body;
  throw new TaskError(
    'NOT_SUPPORTED',
    `${url} is not UTF-8 text. Without a language model, only text can be saved.`,
  );
}

async function searching(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const needle = needleOf(filled);
  const found = await wholePage(filled, context);
  const lines = linesMatching(found.text, needle).map(({ text }) => text);
  const title = `${many(lines.length, 'line')} of ${headline(found)} contain ${needle.shown}`;
  const shown = lines.map((line) => `- ${line.trim()}`);
  return listed(title, shown, { count: lines.length, lines });
}

async function counting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const found = await wholePage(filled, context);
  const count = found.text.match(/\S+/g)?.length ?? 0;
  return { text: `The readable text of ${headline(found)} has ${count} words.`, data: { count } };
}
