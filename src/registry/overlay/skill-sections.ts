import type { PromptSkill } from '../../contract/wire/coordinator-messages.ts';

type Section = PromptSkill['sections'][number];

/** Longest introduction that a system prompt shows, in characters; the rest is read on demand. */
const MAX_INTRODUCTION = 800;
const MAX_LINE = 85;
const MAX_LISTED = 30;
const INTRODUCTION = 'Introduction';

/**
 * Splits a skill at its headings of the first and second level. A system prompt shows the introduction, if it is short, and
 * one line for each section: its heading and its first sentence. The rest is read on demand.
 */
export function splitSkill(
  { id, description }: { readonly id: string; readonly description: string },
  text: string,
): { shown: string; onDemand: PromptSkill | undefined } {
  const [introduction, ...sections] = sectionsOf(text);
  const intro = introduction?.text.trim() ?? '';
  const isShort = intro.length <= MAX_INTRODUCTION;
  const listed = isShort ? sections : [{ heading: INTRODUCTION, text: intro }, ...sections];
  const lines = listed.slice(0, MAX_LISTED).map(lineOf);
  const first = isShort && intro !== '' ? intro : description;
  if (lines.length === 0) return { shown: first, onDemand: undefined };
  return { shown: `${first}\n${lines.join('\n')}`, onDemand: { id, sections: listed } };
}

/** The first section is the text before all headings except a title; its heading is empty. */
function sectionsOf(text: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let isCode = false;
  for (const line of text.replace(/^\s*#\s[^\n]*\n?/, '').split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : /^##?\s+(\S.*)/.exec(line)?.[1]?.trim();
    if (heading === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading, lines: [] });
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }))
    .filter(({ heading, text: body }) => heading === '' || body !== '');
}

/** `- Joins: A sum after a join counts a row once for each partner.` */
function lineOf({ heading, text }: Section): string {
  const sentence = firstSentence(text);
  return `- ${sentence === '' ? heading : `${heading}: ${sentence}`}`;
}

/** Of the first paragraph or list item; empty if the section begins with something else, or it is long. */
function firstSentence(text: string): string {
  const line = (text.split('\n', 1)[0] ?? '').replace(/^(?:[-*+]|\d+\.)\s+/, '');
  if (/^\s*(?:\||```|~~~|<|#)/.test(line)) return '';
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  if (sentence.length <= MAX_LINE) return sentence;
  const part = /^.*?(?=[:;](?:\s|$))/.exec(sentence)?.[0] ?? sentence;
  return part.length <= MAX_LINE ? `${part}.` : '';
}
