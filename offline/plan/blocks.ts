import type { Span } from './spans.ts';
import { startsAction } from './words.ts';

const marker = /^(\s*)(?:step\s+\d{1,3}\s*[:.)]|\(?\d{1,3}[.)]|\(?[a-z]\)|[-*•+])\s+/i;

/** A list item or a paragraph. */
export interface Block extends Span {
  readonly isItem: boolean;
}

interface OpenBlock {
  start: number;
  end: number;
  readonly isItem: boolean;
  readonly indent: number;
}

/** List items and paragraphs of a masked task. A line that does not start one continues the line before. */
export function splitBlocks(masked: string): readonly Block[] {
  const blocks: OpenBlock[] = [];
  let open: OpenBlock | undefined;
  for (const line of splitInlineItems(masked)) {
    const next = openedBy(masked, line, open);
    if (next === 'same') {
      if (open !== undefined) open.end = line.end;
    } else {
      open = next;
      if (open !== undefined) blocks.push(open);
    }
  }
  return blocks;
}

/** The block that a line starts; `same` if it continues the open one; undefined for a blank line, which closes it. */
function openedBy(
  masked: string,
  line: Span,
  open: OpenBlock | undefined,
): OpenBlock | 'same' | undefined {
  const text = masked.slice(line.start, line.end);
  const found = marker.exec(text);
  if (found !== null && !(open?.isItem && isUnder(open, found, masked))) {
    const indent = found[1]?.length ?? 0;
    return { start: line.start + found[0].length, end: line.end, isItem: true, indent };
  }
  const plain = { ...line, isItem: false, indent: 0 };
  if (text.trim() === '')
    return nextIsFence(masked, line.end) && open !== undefined ? 'same' : undefined;
  if (open === undefined || startsOwnLine(masked.slice(open.start, open.end), text)) return plain;
  return 'same';
}

const nextIsFence = (masked: string, at: number) => /^\s*\uE000/.test(masked.slice(at, at + 4));

/** A nested bullet below an item that ends with a colon belongs to that item. */
function isUnder(
  open: { start: number; end: number; indent: number },
  found: RegExpExecArray,
  masked: string,
) {
  const introduces = /:\s*$/.test(masked.slice(open.start, open.end).split('\n')[0] ?? '');
  return introduces && (found[1]?.length ?? 0) > open.indent;
}

/** A new line is a new sentence if the previous one is complete, or if it starts an action. */
function startsOwnLine(before: string, line: string): boolean {
  if (/^\s*\uE000/.test(line) || /[:,]\s*$/.test(before)) return false;
  return /[.!?;]\s*$/.test(before) || startsAction(line.trim(), 'then');
}

/** Lines, and items that are numbered inside one line: `1) … 2) …`. */
function splitInlineItems(masked: string): readonly Span[] {
  const spans: Span[] = [];
  for (const line of splitAt(masked, { start: 0, end: masked.length }, /\n/g)) {
    const text = masked.slice(line.start, line.end);
    const starts: number[] = [];
    for (const match of text.matchAll(
      /(?:^|(?<=[\s:,;]))(?:step\s+(?=\d{1,2}\s*[:.)]))?\(?(\d{1,2})(?:[.)]|(?<=step\s+\d{1,2}):)\s+(?=\S)/gi,
    )) {
      if (Number(match[1]) === starts.length + 1) starts.push(match.index);
    }
    if (starts.length < 2) {
      spans.push(line);
      continue;
    }
    const bounds = [0, ...starts.filter((at) => at > 0), text.length];
    for (const [index, at] of bounds.slice(0, -1).entries()) {
      spans.push({ start: line.start + at, end: line.start + (bounds[index + 1] ?? at) });
    }
  }
  return spans;
}

function splitAt(masked: string, { start, end }: Span, pattern: RegExp): readonly Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const match of masked.slice(start, end).matchAll(pattern)) {
    spans.push({ start: from, end: start + match.index });
    from = start + match.index + match[0].length;
  }
  spans.push({ start: from, end });
  return spans;
}
