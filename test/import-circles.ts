import type { SourceImport } from './source-imports.ts';

/** The imports that lie on a way back to where they begin, or between two such ways: what is left when ends are taken off until none is. */
export function importCircles(imports: readonly SourceImport[]): readonly SourceImport[] {
  const starts = new Set(imports.map(({ from }) => from));
  const ends = new Set(imports.map(({ to }) => to));
  const left = imports.filter(({ from, to }) => ends.has(from) && starts.has(to));
  return left.length === imports.length ? left : importCircles(left);
}
