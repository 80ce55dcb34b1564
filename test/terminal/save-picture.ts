import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terminalPicture } from '../../scripts/pages/terminal-picture.ts';
import type { Screen } from './open-screen.ts';

/** Draws the screen as `<name>.svg` in the folder CAPSTAN_TEST_PICTURES; without it, does nothing. */
export function savePicture(screen: Screen, name: string): void {
  const folder = process.env['CAPSTAN_TEST_PICTURES'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const picture = terminalPicture({ title: 'capstan', ...screen.styled() });
  writeFileSync(join(folder, `${name}.svg`), picture);
}
