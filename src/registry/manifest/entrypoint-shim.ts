import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../platform/files/private-file.ts';

const SHIM = 'entrypoint.cjs';

/** The current shim of a capsule: it starts the SDK, with the handlers of the folder if there are any. */
export const shimText = (hasHandlers: boolean): string =>
  [
    `'use strict';`,
    'const { start } = require(process.env.CAPSTAN_SDK);',
    hasHandlers ? `start({ handlers: () => require('./handlers.cjs').handlers });` : 'start({});',
    '',
  ].join('\n');

/** A file that only starts the SDK, in any form that a shim of Capstan has had. */
const anyShim = (() => {
  const sdk = String.raw`require\(process\.env\.CAPSTAN_SDK\)`;
  const handlers = String.raw`\{ ?handlers: \(\) => require\('\.\/handlers\.cjs'\)\.handlers,? ?\}`;
  const args = String.raw`\((?:\{\}|${handlers})?\)`;
  const begin = String.raw`(?:(?:const|let|var) (?:\{ ?start ?\} = ${sdk};? start|(\w+) = ${sdk};? \1\.start)|${sdk}\.start)`;
  return new RegExp(`^(?:'use strict';? )?${begin}${args};?$`);
})();

const isShim = (text: string): boolean =>
  anyShim.test(text.trim().replace(/\s+/g, ' ').replaceAll('"', "'"));

/** `current`: it was up to date. `own`: the capsule has its own entrypoint, which was left unchanged. */
export type ShimOutcome = 'rewritten' | 'current' | 'own';

/**
 * Updates a capsule's shim to the current form. An entrypoint that never names `CAPSTAN_SDK` is the capsule's own program
 * and stays.
 *
 * @param onlyShims Changes only shims of Capstan.
 */
export function rewriteEntrypoint(dir: string, onlyShims = false): ShimOutcome {
  const wanted = currentShim(dir, onlyShims);
  if (typeof wanted !== 'object') return wanted;
  writePrivateFile(join(dir, SHIM), wanted.text);
  return 'rewritten';
}

/** Whether `rewriteEntrypoint` would update a shim of Capstan. */
export const isOldShim = (dir: string): boolean => typeof currentShim(dir, true) === 'object';

/** The text that replaces the shim, or why it stays. */
function currentShim(dir: string, onlyShims: boolean): { text: string } | 'current' | 'own' {
  const path = join(dir, SHIM);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return 'own';
  const before = readFileSync(path, 'utf8');
  if (!before.includes('CAPSTAN_SDK')) return 'own';
  const text = shimText(existsSync(join(dir, 'handlers.cjs')));
  if (text === before) return 'current';
  return onlyShims && !isShim(before) ? 'own' : { text };
}
