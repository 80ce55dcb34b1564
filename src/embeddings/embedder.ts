/** Converts texts to vectors of length one (or zero, for a text without a known word). */
export interface Embedder {
  /** `static-en-256` or `all-MiniLM-L6-v2`. Vectors of different names or versions never mix. */
  readonly name: string;
  readonly version: string;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}
