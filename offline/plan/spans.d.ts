/** A stretch of the task, as offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
/** The text of several spans: as it stands where only a joint lies between them, else joined by a space. */
export declare function joinSpans(text: string, spans: readonly Span[]): string;
