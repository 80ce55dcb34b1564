import type { OnText } from '../provider.ts';

/** The marks with which open models enclose reasoning before the answer: `<think>…</think>` and similar ones. */
const marks = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[THINK]', '[/THINK]'],
] as const;

const markOf = (text: string) => marks.find(([open]) => text.startsWith(open));

/** The answer without the reasoning before it. Some templates omit the first mark: then `</think>` ends a line. */
export function withoutThoughts(text: string): string {
  let rest = text;
  for (;;) {
    const start = rest.trimStart();
    const mark = markOf(start);
    if (mark === undefined) break;
    const end = start.indexOf(mark[1]);
    if (end === -1) return '';
    rest = start.slice(end + mark[1].length).trimStart();
  }
  return rest === text ? afterUnopened(text) : rest;
}

function afterUnopened(text: string): string {
  const end = text.indexOf('</think>');
  const isUnopened = end !== -1 && text.lastIndexOf('<think>', end) === -1;
  const after = isUnopened ? text.slice(end + '</think>'.length) : '';
  return /^[ \t]*\r?\n/.test(after) ? after.trimStart() : text;
}

/** Forwards the pieces of an answer, without the reasoning before it. */
export function skipThoughts(onText: OnText): OnText {
  let held = '';
  let closing: string | undefined;
  let isAnswer = false;
  let isAfterThought = false;

  const skipToClosing = (mark: string): void => {
    const end = held.indexOf(mark);
    if (end === -1) {
      held = held.slice(1 - mark.length);
      return;
    }
    held = held.slice(end + mark.length);
    closing = undefined;
    isAfterThought = true;
  };
  const lookForMark = (): void => {
    const start = held.trimStart();
    const mark = markOf(start);
    if (mark !== undefined) {
      [, closing] = mark;
      held = start.slice(mark[0].length);
    } else if (!marks.some(([open]) => open.startsWith(start))) {
      isAnswer = true;
      onText(isAfterThought ? start : held);
    }
  };

  return (text) => {
    if (isAnswer) return onText(text);
    held += text;
    for (let before = ''; before !== held && !isAnswer; ) {
      before = held;
      if (closing === undefined) lookForMark();
      if (closing !== undefined) skipToClosing(closing);
    }
  };
}
