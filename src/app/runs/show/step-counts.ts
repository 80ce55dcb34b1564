interface CountedStep {
  readonly status: string;
  /** A later plan replaced it. Default: false. */
  readonly replaced?: boolean;
}

/** Steps as every surface counts them: `done` are those that completed. Replaced steps are counted apart. */
export function stepCounts(steps: readonly CountedStep[]): {
  readonly done: number;
  readonly all: number;
  readonly replaced: number;
} {
  const counted = steps.filter(({ replaced = false }) => !replaced);
  return {
    done: counted.filter(({ status }) => status === 'completed').length,
    all: counted.length,
    replaced: steps.length - counted.length,
  };
}
