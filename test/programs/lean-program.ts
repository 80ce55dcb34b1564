import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lean } from '../../scripts/build.ts';
import { apart } from '../../scripts/lean-bundle.ts';

/**
 * Bundles a program, which exports `main`, like Capstan itself: it starts in a third of the time that its packages take
 * one by one.
 *
 * @param folder Inside the repository, where native packages are found.
 */
export async function bundleLean(entry: string, folder: string): Promise<void> {
  const entries = [[entry, 'main.cjs'], ...apart];
  await Promise.all(
    entries.map(([from = '', file = '']) =>
      build({ ...lean, entryPoints: [from], outfile: join(folder, file), write: true }),
    ),
  );
}

/**
 * Writes a file that starts the program of the folder like the launcher starts Capstan: with the compiled code of an
 * earlier process, by the first of its words.
 */
export function writeLauncher(folder: string, file: string, words: string): string {
  const path = join(folder, file);
  const start = JSON.stringify(join(import.meta.dirname, '../../bin/start.js'));
  writeFileSync(path, `require(${start}).start(__dirname, 'tests', ${words});\n`);
  return path;
}
