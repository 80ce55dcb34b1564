/** A row or line that is not as its format says. */
export interface MalformedRow {
  readonly file?: string;
  readonly line: number;
  readonly problem: string;
}

/** Counts malformed rows and lists the first ones. */
export interface Malformed {
  /** The file that rows come from, where there are several. */
  file: string | undefined;
  note(line: number, problem: string): void;
  count(): number;
  rows(): readonly MalformedRow[];
}

const MAX_LISTED = 10;

export function createMalformed(): Malformed {
  const rows: MalformedRow[] = [];
  let count = 0;
  return {
    file: undefined,
    note(line, problem) {
      count += 1;
      if (rows.length < MAX_LISTED) {
        rows.push({ ...(this.file !== undefined && { file: this.file }), line, problem });
      }
    },
    count: () => count,
    rows: () => rows,
  };
}
