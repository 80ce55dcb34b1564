/** The parts of papaparse 5.7 that are used; the package brings no types. */
declare module 'papaparse' {
  interface ParseResult {
    readonly data: string[][];
    /** `row`: its place in `data`; of a row that is not in it yet, the length of `data`. */
    readonly errors: readonly { readonly code: string; readonly row: number }[];
    /** `cursor`: where the first character behind `data` is. */
    readonly meta: { readonly cursor: number };
  }
  interface Parser {
    parse(input: string, baseIndex: number, ignoreLastRow: boolean): ParseResult;
  }
  const Papa: {
    readonly Parser: new (config: {
      readonly delimiter: string;
      readonly newline: string;
    }) => Parser;
  };
  export = Papa;
}
