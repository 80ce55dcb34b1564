/** The model to price, with fields of `Provider`. */
export interface Priced {
  /** `Provider.name` */
  readonly provider: string;
  readonly model: string;
  /** `Provider.origin`: a compatible server has the prices of its vendor, a loopback one is free. */
  readonly origin?: string | undefined;
}

/** Whole micro-dollars per million tokens, for prompts of the usual size. */
export interface Price {
  readonly inputPerMillionMicroUsd: number;
  readonly cachedInputPerMillionMicroUsd: number;
  /** For input that is written to the vendor's cache. */
  readonly cacheWritePerMillionMicroUsd: number;
  readonly outputPerMillionMicroUsd: number;
}

/** A price from the micro-dollars of a million tokens of each kind. */
export const priceOf = (microUsd: (kind: TokenKind) => number): Price => ({
  inputPerMillionMicroUsd: microUsd('input'),
  cachedInputPerMillionMicroUsd: microUsd('cached_input'),
  cacheWritePerMillionMicroUsd: microUsd('cache_write'),
  outputPerMillionMicroUsd: microUsd('output'),
});

export type TokenKind = 'input' | 'cached_input' | 'cache_write' | 'output';
