import { existsSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SHIM = 'entrypoint.cjs';

/** Today's shim of a capsule: it starts the SDK, with the handlers of the folder where there are any. */
export const shimText = (hasHandlers: boolean): string =>
  [
    `'use strict';`,
    'const { start } = require(process.env.CAPSTAN_SDK);',
    hasHandlers ? `start({ handlers: () => require('./handlers.cjs').handlers });` : 'start({});',
    '',
  ].join('\n');

/**
 * Brings a capsule's shim to today's form. An entrypoint that never names `CAPSTAN_SDK` is somebody's own program and is
 * left alone.
 */
export function rewriteEntrypoint(dir: string): 'rewritten' | 'current' | 'own' {
  const path = join(dir, SHIM);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return 'own';
  const text = readFileSync(path, 'utf8');
  if (!text.includes('CAPSTAN_SDK')) return 'own';
  const wanted = shimText(existsSync(join(dir, 'handlers.cjs')));
  if (text === wanted) return 'current';
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, wanted, { mode: 0o600 });
  renameSync(draft, path);
  return 'rewritten';
}
