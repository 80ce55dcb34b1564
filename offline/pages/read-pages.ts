import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { keepBans } from '../files/keep-bans.ts';
import { needleOf } from '../files/text/needle.ts';
import { writeChecked } from '../files/write-checked.ts';
import { type Filled, form, need } from '../phrases/form.ts';
import { anyCase, needle } from '../phrases/fragments.ts';
import { performTask } from '../phrases/perform-task.ts';
import { summarise, wish, wishBefore, wishOf } from '../summary/wish.ts';
import { fetchPage, fetchRaw, fetchWhole, type Page } from './fetch-page.ts';

const can =
  'I fetch addresses that the task names and give their readable text, title, an extract, or lines with a text, and save the text.';
const get =
  '(fetch|read|get|open|visit|load|show|retrieve|browse|download|look at|go to|display|print) [me]';
const page =
  '[[whole] [web] (webpages?|pages?|site|website|article|document|readable text|text|contents?|urls?|address|addresses|file) [of|at|from|on|behind] [page|url|site] [at]]';
const target =
  '[and (save|write|store) (it|its text|text|page|content|contents|result)] (to|as|into|in) [file] {target:file}';
const tell = '(show|give|tell|print|report|extract|get) [me]';

const forms = [
  form(
    reading,
    'Fetch https://example.com',
    `${get} ${page} {urls:url+} [and ${tell} [its|their] [readable] (text|contents?)]`,
    `what (does|is) [on|at] ${page} {urls:url+} [say]`,
  ),
  form(
    titles,
    'What is the title of https://example.com?',
    `(what is|get|find|give|show|tell|print|read|fetch|extract|report) [me] [page] titles? of ${page} {urls:url+}`,
    `(fetch|get|read|open|visit) ${page} {urls:url+} and ${tell} [its|their|page] titles?`,
  ),
  form(
    downloading,
    'Download https://example.com to page.html',
    `download ${page} {url} ${target}`,
  ),
  form(
    saving,
    'Save https://example.com as page.txt',
    `(${get}|save|store|write) ${page} {url} ${target}`,
  ),
  form(
    summing,
    'Summarise https://example.com',
    `(summarise|summarize|condense) ${page} {urls:url+} ${wish}`,
    `(give|write|make|create|show|get) [me] ${wishBefore} (summary|extract) of ${page} {urls:url+} ${wish}`,
  ),
  form(
    searching,
    'Find "price" on https://example.com',
    `(search|look|check|find) [for] ${needle} (in|on|at|from) ${page} {url} ${anyCase}`,
    `(search|check|scan) ${page} {url} for ${needle} ${anyCase}`,
    `(find|show|list|extract|get) [all] lines [that] (contain|containing|with|mention|mentioning) ${needle} (in|on|from|of) ${page} {url} ${anyCase}`,
    `(does|check (if|whether)) ${page} {url} (mentions?|contains?|says?|includes?) ${needle} ${anyCase}`,
  ),
  form(
    counting,
    'Count the words on https://example.com',
    `(count|how many) words [are] (in|on|of|from) ${page} {url}`,
  ),
];

/** Reads pages that the task names. */
export const readPages: Handler = (context) => performTask(context, { forms, can });

const headline = ({ url, final_url, title, bytes, truncated }: Page) => {
  const moved = final_url === url ? '' : ` (led to ${final_url})`;
  const named = title === '' ? '' : ` "${title}"`;
  return `${url}${moved}${named}, ${bytes} bytes${truncated ? '; the text is cut, the page is longer' : ''}`;
};

async function pagesOf(filled: Filled, context: HandlerContext): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (const url of filled.texts('urls')) pages.push(await fetchPage(context, url));
  return pages;
}

async function reading(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const pages = await pagesOf(filled, context);
  const text = pages.map((one) => `${headline(one)}:\n\n${one.text.trim()}`).join('\n\n');
  const [only] = pages;
  const data =
    pages.length === 1 && only
      ? { url: only.url, title: only.title, content: only.text }
      : { pages };
  return { text, data: { ...data } };
}

async function titles(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const pages = await pagesOf(filled, context);
  const text = pages
    .map(({ url, title }) => (title === '' ? `${url} has no title.` : `${url}: ${title}`))
    .join('\n');
  return {
    text,
    data: { columns: ['url', 'title'], rows: pages.map(({ url, title }) => [url, title]) },
  };
}

async function saving(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'target');
  await keepBans(context, filled.instruction, path);
  const found = await fetchWhole(context, need(filled, 'url'));
  const bytes = await writeChecked(context, {
    path,
    content: found.text,
    reason: `Save the text of ${found.url}`,
  });
  return {
    text: `Saved the readable text of ${headline(found)} as ${path} (${bytes} bytes, read back and compared).`,
    data: { written: [{ path, bytes }] },
  };
}

async function downloading(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'target');
  await keepBans(context, filled.instruction, path);
  const url = need(filled, 'url');
  const content = await fetchRaw(context, url);
  const bytes = await writeChecked(context, {
    path,
    content,
    reason: `Save what ${url} answers`,
  });
  const text = `Downloaded ${url} to ${path} (${bytes} bytes, read back and compared).`;
  return { text, data: { written: [{ path, bytes }] } };
}

async function summing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const wish = wishOf(filled);
  const parts = (await pagesOf(filled, context)).map((one) =>
    summarise(headline(one), one.text, wish),
  );
  return {
    text: parts.map(({ text }) => text).join('\n\n'),
    data: { sentences: parts.flatMap(({ extract }) => extract.sentences) },
  };
}

async function searching(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const needle = needleOf(filled);
  const found = await fetchWhole(context, need(filled, 'url'));
  const pattern = new RegExp(needle.pattern, needle.ignoreCase ? 'iu' : 'u');
  const lines = found.text
    .split('\n')
    .filter((line) => line.length < 100_000 && pattern.test(line));
  const title = `${lines.length} line${lines.length === 1 ? '' : 's'} of ${headline(found)} contain ${needle.shown}`;
  const text =
    lines.length === 0
      ? `${title}.`
      : `${title}:\n\n${lines.map((line) => `- ${line.trim()}`).join('\n')}`;
  return { text, data: { count: lines.length, lines } };
}

async function counting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const found = await fetchWhole(context, need(filled, 'url'));
  const count = found.text.match(/\S+/g)?.length ?? 0;
  return { text: `The readable text of ${headline(found)} has ${count} words.`, data: { count } };
}
