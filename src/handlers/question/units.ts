/** Units of time in seconds, of size in bytes. */
const factors = new Map<string, { kind: 'time' | 'size'; factor: number }>([
  ['us', { kind: 'time', factor: 1e-6 }],
  ['ms', { kind: 'time', factor: 1e-3 }],
  ['s', { kind: 'time', factor: 1 }],
  ['min', { kind: 'time', factor: 60 }],
  ['h', { kind: 'time', factor: 3_600 }],
  ['bytes', { kind: 'size', factor: 1 }],
  ['kb', { kind: 'size', factor: 1_000 }],
  ['mb', { kind: 'size', factor: 1e6 }],
  ['gb', { kind: 'size', factor: 1e9 }],
  ['kib', { kind: 'size', factor: 1_024 }],
  ['mib', { kind: 'size', factor: 1_048_576 }],
  ['gib', { kind: 'size', factor: 1_073_741_824 }],
]);

const spellings: Record<string, readonly string[]> = {
  us: ['us', 'µs', 'microsecond', 'microseconds'],
  ms: ['ms', 'msec', 'millisecond', 'milliseconds', 'millis'],
  s: ['s', 'sec', 'secs', 'second', 'seconds'],
  min: ['min', 'mins', 'minute', 'minutes'],
  h: ['h', 'hour', 'hours'],
  bytes: ['b', 'byte', 'bytes'],
  kb: ['kb', 'kilobyte', 'kilobytes'],
  mb: ['mb', 'megabyte', 'megabytes'],
  gb: ['gb', 'gigabyte', 'gigabytes'],
  kib: ['kib', 'kibibytes'],
  mib: ['mib', 'mebibytes'],
  gib: ['gib', 'gibibytes'],
};
const bySpelling = new Map(
  Object.entries(spellings).flatMap(([unit, words]) => words.map((word) => [word, unit] as const)),
);

/** `milliseconds` → `ms`; undefined for what is no unit. */
export const unitOf = (word: string): string | undefined => bySpelling.get(word.toLowerCase());

export const unitKind = (unit: string | undefined): 'time' | 'size' | undefined =>
  factors.get(unit ?? '')?.kind;

/** How many of `to` one of `from` is; undefined where they measure different things. */
export function conversion(from: string, to: string): number | undefined {
  const [a, b] = [factors.get(from), factors.get(to)];
  return a && b && a.kind === b.kind ? a.factor / b.factor : undefined;
}
