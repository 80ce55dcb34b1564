import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryOr } from '../../platform/try-or.ts';
import type { Capsule } from '../capsule-store.ts';
import { shimText } from './entrypoint-shim.ts';

/**
 * Whether a capsule runs only code that ships with Capstan: a shipped capsule, or one that has only Capstan's shim, as
 * capsules made from the template do.
 */
export const isShippedCode = (capsule: Capsule): boolean =>
  capsule.origin === 'shipped' || isShimAlone(capsule);

/** Whether a capsule's program is only the shim that starts the SDK. */
export function isShimAlone({ dir, manifest }: Capsule): boolean {
  const [program, file, ...more] = manifest.entrypoint;
  if (program !== 'node' || file !== 'entrypoint.cjs' || more.length > 0) return false;
  if (existsSync(join(dir, 'handlers.cjs'))) return false;
  return tryOr(() => readFileSync(join(dir, file), 'utf8') === shimText(false), false);
}
