import type { Span } from './spans.ts';
/** A list item or a paragraph. */
export interface Block extends Span {
  readonly isItem: boolean;
}
/** List items and paragraphs of a masked task. A line that starts nothing of its own goes on with the line before. */
export declare function splitBlocks(masked: string): readonly Block[];
