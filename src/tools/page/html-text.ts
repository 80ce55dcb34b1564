import { convert } from 'html-to-text';

/** Readable text of a page, and its title. */
export interface PageText {
  readonly title: string;
  readonly text: string;
}

const MAX_TITLE_CHARS = 300;

/** Limits for hostile pages. */
const limits = {
  maxDepth: 200,
  maxChildNodes: 20_000,
  maxInputLength: 4 * 1024 * 1024,
  ellipsis: '…',
};

/** Converts HTML to readable text: headings, paragraphs, lists, tables, and the targets of links. */
export function htmlText(html: string, baseUrl: string): PageText {
  const absolute = (path: string) =>
    URL.canParse(path, baseUrl) ? new URL(path, baseUrl).href : path;
  const text = convert(html, {
    wordwrap: false,
    limits,
    baseElements: { selectors: [contentElement(html)], returnDomByDefault: true },
    selectors: [
      { selector: 'a', options: { pathRewrite: absolute, hideLinkHrefIfSameAsText: true } },
      ...['head', 'title', 'img', 'nav', 'script', 'style', 'noscript'].map((selector) => ({
        selector,
        format: 'skip',
      })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  });
  return { title: titleOf(html), text: text.trim() };
}

/** The element that marks the content of a page; around it are menus. */
function contentElement(html: string): string {
  return ['main', 'article'].find((name) => html.includes(`<${name}`)) ?? 'body';
}

function titleOf(html: string): string {
  const inner = /<title[^>]{0,500}>([^<]{0,2000})/i.exec(html)?.[1] ?? '';
  return convert(inner, { wordwrap: false }).trim().slice(0, MAX_TITLE_CHARS);
}
