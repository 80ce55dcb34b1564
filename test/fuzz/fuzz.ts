/** Time limit of one property, in milliseconds: the checks until then count. */
const MAX_MS = 4_000;

interface FuzzLimits {
  readonly numRuns: number;
  readonly interruptAfterTimeLimit?: number;
  readonly markInterruptAsFailure?: boolean;
  readonly seed?: number;
}

/**
 * How a property is checked. `FUZZ_RUNS=100000` takes as many tries and no time limit; `FUZZ_SEED=123` begins where a
 * failure was reported. A failure names its seed and the smallest case.
 *
 * @param runs Tries where nothing else is said.
 */
export function fuzz(runs: number): FuzzLimits {
  const wanted = Number(process.env['FUZZ_RUNS'] ?? 0);
  const seed = Number(process.env['FUZZ_SEED'] ?? Number.NaN);
  return {
    numRuns: wanted > 0 ? wanted : runs,
    ...(wanted > 0 ? {} : { interruptAfterTimeLimit: MAX_MS, markInterruptAsFailure: false }),
    ...(Number.isNaN(seed) ? {} : { seed }),
  };
}

/** Time limit of a whole test: enough for any number of requested runs. */
export const FUZZ_TIMEOUT_MS = Number(process.env['FUZZ_RUNS'] ?? 0) > 0 ? 3_600_000 : 30_000;
