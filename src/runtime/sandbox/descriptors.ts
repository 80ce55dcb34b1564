/** Collects the descriptors that a process gets as 3, 4, … */
export interface Descriptors {
  /** @returns The number that the descriptor has in the process. */
  add(fd: number): string;
  readonly all: readonly number[];
}

export function createDescriptors(): Descriptors {
  const all: number[] = [];
  return {
    add(fd) {
      all.push(fd);
      return String(2 + all.length);
    },
    all,
  };
}
