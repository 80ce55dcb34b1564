import DOMPurify from 'dompurify';
import { Marked, Renderer, type Tokens } from 'marked';
import { useMemo } from 'react';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => entities[char] ?? char);

const marked = new Marked({
  gfm: true,
  renderer: {
    // HTML is shown as text.
    html: ({ text }) => escaped(text),
    // The page loads no external images.
    image: ({ text, href }) => `<em>[image: ${escaped(text || href)}]</em>`,
    // A wide table scrolls in its own container.
    table(token) {
      return `<div>${Renderer.prototype.table.call(this, token)}</div>`;
    },
  },
});

const sanitizer = {
  ALLOWED_TAGS:
    'p em strong code pre ul ol li a blockquote h2 h3 h4 h5 h6 div table thead tbody tr th td hr br del'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['href', 'align', 'start'],
  ADD_URI_SAFE_ATTR: ['align', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  RETURN_TRUSTED_TYPE: true,
};

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  // Containers that may scroll are focusable. Only `table` above creates a `div`.
  if (node instanceof HTMLDivElement || node instanceof HTMLPreElement) node.tabIndex = 0;
  if (node instanceof HTMLDivElement) {
    node.role = 'group';
    node.ariaLabel = 'Table';
  }
  if (node instanceof HTMLOListElement) {
    const last = node.start + node.childElementCount - 1;
    node.dataset['digits'] = String(last).length > 3 ? '4' : String(String(last).length);
  }
  if (!(node instanceof HTMLAnchorElement)) return;
  node.rel = 'noreferrer noopener';
  node.target = '_blank';
  if (node.host && !node.textContent?.includes(node.host)) node.append(` (${node.host})`);
});

const FIRST_LEVEL = 3;

/** Renders HTML. Its headings start at the third level and skip none, whichever levels the text uses. */
function htmlOf(text: string): string {
  const tokens = marked.lexer(text);
  const headings: { depth: number }[] = [];
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') headings.push(token as Tokens.Heading);
  });
  const used = [...new Set(headings.map(({ depth }) => depth))].toSorted();
  for (const heading of headings)
    heading.depth = Math.min(6, FIRST_LEVEL + used.indexOf(heading.depth));
  return marked.parser(tokens);
}

/** Renders Markdown of a capsule or a model, sanitized. Headings are below those of the page; links show their host. */
export default function Markdown({ text }: { text: string }) {
  const html = useMemo(() => {
    return DOMPurify.sanitize(htmlOf(text), sanitizer) as unknown as string;
  }, [text]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised, as a trusted type
  return <div className="md" dangerouslySetInnerHTML={{ __html: html }} />;
}
