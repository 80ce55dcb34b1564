/** The part of html-to-text 10 that is used here; the package brings no types. */
declare module 'html-to-text' {
  export interface HtmlToTextOptions {
    readonly wordwrap?: number | false;
    readonly limits?: {
      readonly maxDepth?: number;
      readonly maxChildNodes?: number;
      readonly maxInputLength?: number;
      readonly ellipsis?: string;
    };
    readonly baseElements?: {
      readonly selectors?: readonly string[];
      readonly returnDomByDefault?: boolean;
    };
    readonly selectors?: readonly {
      readonly selector: string;
      readonly format?: string;
      readonly options?: Readonly<Record<string, unknown>>;
    }[];
  }
  export function convert(html: string, options?: HtmlToTextOptions): string;
}
