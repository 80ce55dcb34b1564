import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../contract/errors.ts';

/**
 * The path of a bundled script that a tool starts: next to the bundle, or in `dist/` if this runs from source.
 *
 * @throws AppError `TOOL_FAILED` if it was not built.
 */
export function builtScript(name: string, tool: string): string {
  const places = ['.', '..', '../../dist'].map((place) => join(import.meta.dirname, place, name));
  const path = places.find((place) => existsSync(place));
  if (path !== undefined) return path;
  const problem = `dist/${name} is missing: run \`npm run build\``;
  throw new AppError('TOOL_FAILED', { tool, problem });
}
