import type { Handler, Outcome } from '../context.ts';
import { listed, many } from '../files/file-tool.ts';
import { needleOf } from '../files/text/needle.ts';
import { linesMatching } from '../files/text/sources.ts';
import { writeFiles } from '../files/write-checked.ts';
import { formsOf, type Step } from '../phrases/form.ts';
import { performTask } from '../phrases/perform-task.ts';
import { summarise, summaryParts } from '../summary/extract-summary.ts';
import { fail } from '../task-error.ts';

const can =
  'I fetch the addresses that the task names, show their readable text, title, a summary, or lines that contain a text, and save the text.';

/** Forms that read pages. */
export const pageForms = formsOf(
  `${summaryParts}
get = (fetch|read|get|open|visit|load|show|retrieve|browse|download|look at|go to|display|print) [me]
page = [[whole] [web] (webpages?|pages?|site|website|article|document|readable text|text|contents?|urls?|address|addresses|file) [of|at|from|on|behind] [page|url|site] [at]] {urls:url+}
target = [and (save|write|store) (it|its text|text|page|content|contents|result)] (to|as|into|in) [file] {target:file}
tell = (show|give|tell|print|report|extract|get) [me]
reading: Fetch https://example.com
  <get> <page> [and <tell> [its|their] [readable] (text|contents?)]
titles: What is the title of https://example.com?
  (what is|get|find|give|show|tell|print|read|fetch|extract|report) [me] [page] titles? of <page>
  (fetch|get|read|open|visit) <page> and <tell> [its|their|page] titles?
downloading: Download https://example.com to page.html
  download <page> <target>
saving: Save https://example.com as page.txt
  (<get>|save|store|write) <page> <target>
summing: Summarise https://example.com
  <verb> <page> <wish>
  <give> <summary> <page> <wish>
searching: Find "price" on https://example.com
  (search|look|check|find) [for] <needle> (in|on|at|from) <page> <anyCase>
  (search|check|scan) <page> for <needle> <anyCase>
  (does|check (if|whether)) <page> (mentions?|contains?|says?|includes?) <needle> <anyCase>
counting: Count the words on https://example.com
  (count|how many) words [are] (in|on|of|from) <page>
`,
  { reading, titles, downloading, saving, summing, searching, counting },
);

/** Reads pages that the task names. */
export const readPages: Handler = (context) => performTask(context, { forms: pageForms, can });

/** A result of `web_fetch`, or of `http_api`, which has a body. */
interface Page {
  readonly url: string;
  readonly final_url: string;
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly body: string;
  readonly bytes: number;
  readonly binary?: boolean;
  readonly truncated: boolean;
}

/** Fetches all addresses of a form. @throws TaskError `FETCH_FAILED` if a status is not 2xx. */
async function pagesOf(step: Step, tool = 'web_fetch', args = {}): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (const url of step.texts('urls')) {
    step.progress(`fetching ${url}`);
    const page = await step.call(tool, { ...args, url }, 'The task names this address');
    const { status } = page as Page;
    if (status < 200 || status >= 300)
      fail('FETCH_FAILED', `${url} returned status ${status}. Check the address.`);
    pages.push(page as Page);
  }
  return pages;
}

/** Fetches the only address of a form completely. @throws TaskError `AMBIGUOUS`, `INPUT_TOO_LARGE`. */
async function wholePage(step: Step, ...how: [tool?: string, args?: object]): Promise<Page> {
  const isOne = step.texts('urls').length === 1;
  const [page] = isOne ? await pagesOf(step, ...how) : [];
  if (page === undefined) return fail('AMBIGUOUS', 'Name exactly one address.');
  if (page.truncated)
    fail('INPUT_TOO_LARGE', `${page.url} has ${page.bytes} bytes. Fetch it to see its beginning.`);
  return page;
}

const headline = ({ url, final_url, title, bytes, truncated }: Page) => {
  const moved = final_url === url ? '' : ` (redirected to ${final_url})`;
  const named = title === '' ? '' : ` "${title}"`;
  return `${url}${moved}${named}, ${bytes} bytes${truncated ? '; only the beginning is shown' : ''}`;
};

async function reading(step: Step): Promise<Outcome> {
  const pages = await pagesOf(step);
  const text = pages.map((one) => `${headline(one)}:\n\n${one.text.trim()}`).join('\n\n');
  const [only, ...others] = pages;
  if (only === undefined || others.length > 0) return { text, data: { pages } };
  return { text, data: { url: only.url, title: only.title, content: only.text } };
}

async function titles(step: Step): Promise<Outcome> {
  const pages = await pagesOf(step);
  const rows = pages.map(({ url, title }) => [url, title] as const);
  const lines = rows.map(([url, title]) => (title ? `${url}: ${title}` : `${url} has no title.`));
  return { text: lines.join('\n'), data: { columns: ['url', 'title'], rows } };
}

async function summing(step: Step): Promise<Outcome> {
  const pages = await pagesOf(step);
  return summarise(
    step,
    pages.map((one) => ({ name: headline(one), text: one.text })),
  );
}

async function saving(step: Step): Promise<Outcome> {
  const path = step.text('target');
  const page = await wholePage(step);
  const reason = `Saved the readable text of ${headline(page)} as ${path}`;
  return writeFiles(step, { path, content: page.text, reason });
}

/** Saves the response of an address unchanged. @throws TaskError `NOT_SUPPORTED` if it is not UTF-8 text. */
async function downloading(step: Step): Promise<Outcome> {
  const [path, url] = [step.text('target'), step.text('urls')];
  const { binary, body, bytes } = await wholePage(step, 'http_api', { method: 'GET' });
  if (binary === true || Buffer.byteLength(body) !== bytes)
    fail('NOT_SUPPORTED', `${url} is not UTF-8 text. Only text can be downloaded.`);
  const reason = `Downloaded ${url} to ${path}`;
  return writeFiles(step, { path, content: body, reason });
}

async function searching(step: Step): Promise<Outcome> {
  const needle = needleOf(step);
  const page = await wholePage(step);
  const lines = linesMatching(page.text, needle).map(({ text }) => text);
  const title = `${many(lines.length, 'line')} of ${headline(page)} contain ${needle.shown}`;
  const shown = lines.map((line) => `- ${line.trim()}`);
  return listed(title, shown, { count: lines.length, lines });
}

async function counting(step: Step): Promise<Outcome> {
  const page = await wholePage(step);
  const count = page.text.match(/\S+/g)?.length ?? 0;
  return { text: `The readable text of ${headline(page)} has ${count} words.`, data: { count } };
}
