/** The part of html-to-text 10 that is used here; the package brings no types. */
declare module 'html-to-text' {
  export function convert(html: string, options?: Readonly<Record<string, unknown>>): string;
}
