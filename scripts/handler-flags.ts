/** Node 20 alone has this flag. */
const budget = (value: number) =>
  process.versions.v8.startsWith('11.3.') ? ` --interrupt-budget=${value}` : '';

/** The flags of V8 in a process that runs handlers, and V8's own values of the same flags. */
export const handlerFlags = {
  own: `--no-regexp-optimization --no-regexp-peephole-optimization${budget(500_000)}`,
  usual: `--regexp-optimization --regexp-peephole-optimization${budget(67_584)}`,
} as const;
