import type { Check } from './check.ts';

/** One task of the bench: what is there, what is asked, what must come of it. */
export interface BenchTask {
  readonly id: string;
  /** `@` stands for the origin of the loopback server, where there are pages. */
  readonly task: string;
  /** Contents of files by path, or a function that makes them in a folder. */
  readonly inputs: Readonly<Record<string, string>> | ((dir: string) => void);
  readonly expected: Check;
  /** True if only an honest failure is right. */
  readonly mustFail?: boolean;
  /** Pages of the loopback server by path. */
  readonly pages?: Readonly<Record<string, { readonly type: string; readonly body: string }>>;
}
