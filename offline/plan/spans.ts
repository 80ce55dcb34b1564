/** A part of the task, as offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text of several spans: as written if only a joint is between them, else joined by a space. */
export function joinSpans(text: string, spans: readonly Span[]): string {
  const sorted = [...spans].sort((a, b) => a.start - b.start);
  let joined = '';
  let last: Span | undefined;
  for (const span of sorted) {
    const piece = text.slice(span.start, span.end);
    if (last === undefined) joined = piece;
    else joined += `${gap(text.slice(last.end, span.start))}${piece}`;
    last = span;
  }
  return joined.trim();
}

const gap = (between: string) => (/^[\s,;:]*(?:(?:and|then)\s+)*$/i.test(between) ? between : ' ');
