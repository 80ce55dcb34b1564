/** One sentence of a text and its position. */
export interface Sentence {
  readonly text: string;
  /** Paragraphs count from 0. */
  readonly paragraph: number;
  readonly startsParagraph: boolean;
}

const abbreviated =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|no|incl|resp|cf|dr|mr|mrs|ms|prof|st|fig|al|inc|ltd|co|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|[A-Z])\.$/i;
/** Longest paragraph, in characters. A longer one is not prose. */
const maxParagraphChars = 20_000;
/** Longest sentence, in characters. A longer one is lines of a log or a table. */
const maxSentenceChars = 1_000;

/** The prose of a text or Markdown document, sentence by sentence: code, tables, headings and link targets are left out. */
export function sentencesOf(text: string): readonly Sentence[] {
  return paragraphsOf(text).flatMap((paragraph, index) =>
    splitSentences(paragraph).map((sentence, at) => ({
      text: sentence,
      paragraph: index,
      startsParagraph: at === 0,
    })),
  );
}

function paragraphsOf(text: string): readonly string[] {
  const prose = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/^(?:```|~~~)[^\n]*\n[\s\S]*?^(?:```|~~~)[^\n]*$/gm, '')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^#{1,6} .*$/gm, '\n')
    .replaceAll(/^\s*\|.*$/gm, '')
    .replaceAll(/^\s*(?:[-=*_]\s*){3,}$/gm, '\n')
    .replaceAll(/!\[[^\]\n]*\]\([^)\n]*\)/g, '')
    .replaceAll(/\[([^\]\n]+)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/^\s*>\s?/gm, '')
    .replaceAll(/^\s*(?:[-*+]|\d+[.)])\s+/gm, '\n\n');
  return prose
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim().slice(0, maxParagraphChars))
    .filter((paragraph) => paragraph !== '');
}

function splitSentences(paragraph: string): readonly string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const match of paragraph.matchAll(/[.!?…]+["'”’)\]]*\s+(?=[\p{Lu}\p{N}"'“‘([`*_])/gu)) {
    const end = match.index + match[0].trimEnd().length;
    if (abbreviated.test(paragraph.slice(from, end))) continue;
    sentences.push(paragraph.slice(from, end).trim());
    from = end;
  }
  sentences.push(paragraph.slice(from).trim());
  return sentences.filter(
    (sentence) => sentence.length <= maxSentenceChars && /\p{L}/u.test(sentence),
  );
}
