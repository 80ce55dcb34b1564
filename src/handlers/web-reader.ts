import type { Handler } from '../runtime/capsule/sdk.ts';
import { keepBans } from './files/bans.ts';
import { type Act, type Outcome, writeChecked } from './files/file-tool.ts';
import { caseForm, needleForm, needleOf } from './files/needle.ts';
import { type Filled, type Form, form, matchForm, need } from './instruction/form.ts';
import { readInstruction } from './instruction/instruction.ts';
import { fetchPage, fetchRaw, fetchWhole, type Page } from './pages/fetch-page.ts';
import { summarise, summariseVerb, wishBefore, wishForm, wishOf } from './summary/wish.ts';

const can =
  'I fetch addresses that the task names and give their readable text, title, an extract, or lines with a text, and save the text.';
const get =
  '(?:fetch|read|get|open|visit|load|show|retrieve|browse|download|look at|go to|display|print)(?: me)?';
const page =
  '(?:(?:whole )?(?:web ?)?(?:pages?|site|website|article|document|readable text|text|contents?|url|urls|address|addresses|file)(?: (?:of|at|from|on|behind))?(?: (?:page|url|site))?(?: at)? )?';
const target =
  '(?: and (?:save|write|store) (?:it|its text|text|page|content|contents|result))? (?:to|as|into|in)(?: file)? <target:file>';

const forms: readonly Form<Act>[] = [
  form(
    `${get} ${page}<urls:url+>(?: and (?:show|give|tell|print)(?: me)? (?:its |their )?(?:readable )?(?:text|contents?))?`,
    reading,
  ),
  form(
    `(?:what is|get|find|give|show|tell|print|read|fetch|extract|report)(?: me)? (?:page )?titles? of ${page}<urls:url+>`,
    titles,
  ),
  form(
    `(?:fetch|get|read|open|visit) ${page}<urls:url+>,? and (?:show|give|tell|print|report|extract|get)(?: me)? (?:its |their |page )?titles?`,
    titles,
  ),
  form(`download ${page}<url:url>${target}`, downloading),
  form(`(?:${get}|save|store|write) ${page}<url:url>${target}`, saving),
  form(`${summariseVerb} ${page}<urls:url+>${wishForm}`, summing),
  form(
    `(?:give|write|make|create|show|get)(?: me)? ${wishBefore}(?:summary|extract) of ${page}<urls:url+>${wishForm}`,
    summing,
  ),
  form(
    `(?:search|look|check|find)(?: for)? ${needleForm} (?:in|on|at|from) ${page}<url:url>${caseForm}`,
    searching,
  ),
  form(`(?:search|check|scan) ${page}<url:url> for ${needleForm}${caseForm}`, searching),
  form(
    `(?:find|show|list|extract|get)(?: all)? lines (?:that )?(?:contain|containing|with|mention|mentioning) ${needleForm} (?:in|on|from|of) ${page}<url:url>${caseForm}`,
    searching,
  ),
  form(
    `(?:does|check (?:if|whether)) ${page}<url:url> (?:mentions?|contains?|says?|includes?) ${needleForm}${caseForm}`,
    searching,
  ),
  form(`(?:count|how many) words (?:are )?(?:in|on|of|from) ${page}<url:url>`, counting),
];

const headline = ({ url, final_url, title, bytes, truncated }: Page) => {
  const moved = final_url === url ? '' : ` (led to ${final_url})`;
  const named = title === '' ? '' : ` "${title}"`;
  return `${url}${moved}${named}, ${bytes} bytes${truncated ? '; the text is cut, the page is longer' : ''}`;
};

async function pagesOf(filled: Filled, context: Parameters<Act>[0]): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (const { value } of filled.atoms('urls')) pages.push(await fetchPage(context, value));
  return pages;
}

function reading(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const pages = await pagesOf(filled, context);
    const text = pages.map((one) => `${headline(one)}:\n\n${one.text.trim()}`).join('\n\n');
    const [only] = pages;
    const data =
      pages.length === 1 && only
        ? { url: only.url, title: only.title, content: only.text }
        : { pages };
    return { text, data: { ...data } };
  };
}

function titles(filled: Filled): Act {
  return async (context) => {
    const pages = await pagesOf(filled, context);
    const text = pages
      .map(({ url, title }) => (title === '' ? `${url} has no title.` : `${url}: ${title}`))
      .join('\n');
    return {
      text,
      data: { columns: ['url', 'title'], rows: pages.map(({ url, title }) => [url, title]) },
    };
  };
}

function saving(filled: Filled): Act {
  return async (context) => {
    const path = need(filled, 'target').value;
    await keepBans(context, filled.instruction, path);
    const found = await fetchWhole(context, need(filled, 'url').value);
    const bytes = await writeChecked(context, {
      path,
      content: found.text,
      reason: `Save the text of ${found.url}`,
    });
    return {
      text: `Saved the readable text of ${headline(found)} as ${path} (${bytes} bytes, read back and compared).`,
      data: { written: [{ path, bytes }] },
    };
  };
}

function downloading(filled: Filled): Act {
  return async (context) => {
    const path = need(filled, 'target').value;
    await keepBans(context, filled.instruction, path);
    const url = need(filled, 'url').value;
    const content = await fetchRaw(context, url);
    const bytes = await writeChecked(context, {
      path,
      content,
      reason: `Save what ${url} answers`,
    });
    const text = `Downloaded ${url} to ${path} (${bytes} bytes, read back and compared).`;
    return { text, data: { written: [{ path, bytes }] } };
  };
}

function summing(filled: Filled): Act {
  return async (context) => {
    const wish = wishOf(filled);
    const parts = (await pagesOf(filled, context)).map((one) =>
      summarise(headline(one), one.text, wish),
    );
    return {
      text: parts.map(({ text }) => text).join('\n\n'),
      data: { sentences: parts.flatMap(({ extract }) => extract.sentences) },
    };
  };
}

function searching(filled: Filled): Act {
  return async (context) => {
    const needle = needleOf(filled);
    const found = await fetchWhole(context, need(filled, 'url').value);
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
  };
}

function counting(filled: Filled): Act {
  return async (context) => {
    const found = await fetchWhole(context, need(filled, 'url').value);
    const count = found.text.match(/\S+/g)?.length ?? 0;
    return { text: `The readable text of ${headline(found)} has ${count} words.`, data: { count } };
  };
}

/** Reads pages that the task names. */
const readPages: Handler = (context) =>
  matchForm(readInstruction(context.task), forms, can)(context);

export const handlers: Record<string, Handler> = { read_pages: readPages };
