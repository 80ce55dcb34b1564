import { type FilterVariant, seccompFilter } from '../landlock/seccomp-filter.ts';
import { syscallsOf } from '../landlock/syscalls.ts';
import { namelessFile } from './nameless-file.ts';

/**
 * Opens the system call filters of this architecture, each built when it is first needed.
 *
 * @returns Undefined if there is none. The caller closes the descriptors.
 */
export function filterDescriptors(): ((variant: FilterVariant) => number) | undefined {
  const table = syscallsOf(process.arch);
  if (table === undefined) return undefined;
  const made = new Map<FilterVariant, Buffer>();
  return (variant) => {
    const filter = made.get(variant) ?? seccompFilter(table, variant);
    made.set(variant, filter);
    return namelessFile(filter);
  };
}
