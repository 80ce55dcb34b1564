/** A row or line that does not have its format. */
interface MalformedRow {
  readonly file?: string;
  readonly line: number;
  readonly problem: string;
}

const MAX_LISTED = 10;

/** Counts malformed rows and lists the first ones. */
export class Malformed {
  /** The current file, if there are several. */
  file: string | undefined;
  count = 0;
  readonly rows: MalformedRow[] = [];

  note(line: number, problem: string): void {
    this.count += 1;
    if (this.rows.length >= MAX_LISTED) return;
    this.rows.push({ ...(this.file !== undefined && { file: this.file }), line, problem });
  }
}
