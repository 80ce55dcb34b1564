import type { SourceImport } from './source-imports.ts';

/** The imports that are part of a cycle, or between two cycles: the rest after removing ends until there are none. */
export function importCircles(imports: readonly SourceImport[]): readonly SourceImport[] {
  const starts = new Set(imports.map(({ from }) => from));
  const ends = new Set(imports.map(({ to }) => to));
  const left = imports.filter(({ from, to }) => ends.has(from) && starts.has(to));
  return left.length === imports.length ? left : importCircles(left);
}
