import type { Check } from './check.ts';

/** One task of the benchmark: its files, its text and the expected result. */
export interface BenchTask {
  readonly id: string;
  /** `@` stands for the origin of the loopback server, if there are pages. */
  readonly task: string;
  /** Contents of files by path, or a function that makes them in a folder. */
  readonly inputs: Readonly<Record<string, string>> | ((dir: string) => void);
  readonly expected: Check;
  /** True if only an honest failure is right. */
  readonly mustFail?: boolean;
  /** Pages of the loopback server by path. */
  readonly pages?: Readonly<Record<string, { readonly type: string; readonly body: string }>>;
}
