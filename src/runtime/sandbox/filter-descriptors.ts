import { namelessFile } from './nameless-file.ts';
import { type FilterVariant, seccompFilter } from './seccomp-filter.ts';
import { syscallsOf } from './syscalls.ts';

/**
 * Opens the system call filters of this processor, each made when it is first needed.
 *
 * @returns Undefined where none can be made. What it opens, its caller closes.
 */
export function filterDescriptors(): ((variant: FilterVariant) => number) | undefined {
  const table = syscallsOf(process.arch);
  if (table === undefined) return undefined;
  const opened = new Map<FilterVariant, () => number>();
  return (variant) => {
    const open = opened.get(variant) ?? namelessFile(seccompFilter(table, variant));
    opened.set(variant, open);
    return open();
  };
}
