/** What the doctor found out about one thing. */
export interface Check {
  readonly name: string;
  /** `fail`: something that every run needs. `warn`: something that some runs need, or that is unwise. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do; undefined where all is well. */
  readonly fix: string | undefined;
}

export const ok = (name: string, found: string): Check => ({
  name,
  status: 'ok',
  found,
  fix: undefined,
});

export const warn = (name: string, found: string, fix: string): Check => ({
  name,
  status: 'warn',
  found,
  fix,
});

export const fail = (name: string, found: string, fix: string): Check => ({
  name,
  status: 'fail',
  found,
  fix,
});
