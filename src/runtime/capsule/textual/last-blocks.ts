import { MAX_CALLS } from './given-call.ts';

/** The blocks at the end of a text, with nothing but blanks between and after them, and the prose before the first. */
export interface LastBlocks {
  readonly prose: string;
  readonly bodies: readonly string[];
}

/**
 * Blocks between two markers. Undefined if the text does not end with one, or the prose contains another. Reads the
 * text from its end, each part once.
 */
export function blocksBetween(
  text: string,
  { open, close }: { readonly open: string; readonly close: string },
): LastBlocks | undefined {
  const bodies: string[] = [];
  let start = text.length;
  while (bodies.length <= MAX_CALLS) {
    const block = blockBefore(text.slice(0, start).trimEnd(), { open, close }, bodies.length === 0);
    if (block === undefined) break;
    bodies.unshift(block.body);
    start = block.start;
  }
  const prose = text.slice(0, start);
  const isWhole = bodies.length > 0 && bodies.length <= MAX_CALLS && !prose.includes(open);
  return isWhole ? { prose, bodies } : undefined;
}

function blockBefore(
  text: string,
  { open, close }: { readonly open: string; readonly close: string },
  isLast: boolean,
): { readonly start: number; readonly body: string } | undefined {
  const isClosed = close !== '' && text.endsWith(close);
  const mayBeOpen = close === '' || isLast;
  if (!isClosed && !mayBeOpen) return undefined;
  const end = isClosed ? text.length - close.length : text.length;
  const start = end === 0 ? -1 : text.lastIndexOf(open, end - 1);
  if (start === -1) return undefined;
  const body = text.slice(start + open.length, end);
  return !isClosed && close !== '' && body.includes(close) ? undefined : { start, body };
}

const FENCE = /^[ \t]{0,3}```/;

/** Fenced blocks. The last may lack its end. */
export function fencedBlocks(text: string): LastBlocks | undefined {
  const lines = text.trimEnd().split('\n');
  const fences = lines.flatMap((line, at) => (FENCE.test(line) ? [at] : []));
  if (fences.length % 2 === 1) fences.push(lines.length);
  const bodies: string[] = [];
  let start = lines.length;
  while (fences.length > 0 && bodies.length <= MAX_CALLS) {
    const to = fences.pop() ?? 0;
    if (lines.slice(to + 1, start).some((line) => line.trim() !== '')) break;
    start = fences.pop() ?? 0;
    bodies.unshift(lines.slice(start + 1, to).join('\n'));
  }
  if (bodies.length === 0 || bodies.length > MAX_CALLS) return undefined;
  return { prose: lines.slice(0, start).join('\n'), bodies };
}
