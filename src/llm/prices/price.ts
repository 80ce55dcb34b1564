/** Who is called, as `Provider` has it. */
export interface Priced {
  /** `Provider.name` */
  readonly provider: string;
  readonly model: string;
  /** `Provider.origin`: a compatible server is priced as the vendor behind it, a loopback one is free. */
  readonly origin?: string | undefined;
}

/** Whole micro-dollars a million tokens, for prompts of the usual size. */
export interface Price {
  readonly inputPerMillionMicroUsd: number;
  readonly cachedInputPerMillionMicroUsd: number;
  /** Of input that the vendor's cache takes in. */
  readonly cacheWritePerMillionMicroUsd: number;
  readonly outputPerMillionMicroUsd: number;
}
