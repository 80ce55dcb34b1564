import { tryOr } from '../../platform/try-or.ts';

const LOOK_BYTES = 4_096;

/** Decodes a body by its byte order mark, the charset of the header, a declaration at its start, or as UTF-8. */
export function decodeText(content: Buffer, contentType: string): string {
  const label =
    markOf(content) ??
    charsetIn(contentType) ??
    charsetIn(content.toString('latin1', 0, LOOK_BYTES));
  const decoder = tryOr(() => new TextDecoder(label), new TextDecoder());
  return decoder.decode(content);
}

function markOf(content: Buffer): string | undefined {
  if (content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf) return 'utf-8';
  if (content[0] === 0xff && content[1] === 0xfe) return 'utf-16le';
  if (content[0] === 0xfe && content[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** `charset=…` of a header or a `<meta>`, `encoding="…"` of an XML declaration. */
const charsetIn = (text: string): string | undefined =>
  /(?:charset|<\?xml[^>]{0,200}encoding)\s{0,5}=\s{0,5}["']?\s{0,5}([\w.:-]{1,40})/i.exec(
    text,
  )?.[1];
