import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../contract/errors.ts';

/**
 * Where a bundled script that a tool starts beside itself lies: next to the bundle, or in `dist/` where this runs from its source.
 *
 * @throws AppError `TOOL_FAILED` where it was not built.
 */
export function builtScript(name: string, tool: string): string {
  const places = ['.', '..', '../../dist'].map((place) => join(import.meta.dirname, place, name));
  const path = places.find((place) => existsSync(place));
  if (path !== undefined) return path;
  const problem = `dist/${name} is missing: run \`npm run build\``;
  throw new AppError('TOOL_FAILED', { tool, problem });
}
