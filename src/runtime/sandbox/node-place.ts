import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** This very Node as a sandbox sees it: where its program is, and what must be mounted for it to be there. */
export interface NodePlace {
  /** Absolute, inside. */
  readonly program: string;
  /** Outside and inside, absolute; undefined where `/usr` holds it anyway. */
  readonly mount: { readonly from: string; readonly to: string } | undefined;
  /** The folder of `program`, inside. */
  readonly folder: string;
}

const RUNTIME = '/runtime';

/**
 * Where Node lies outside `/usr` (nvm, a download), its one program file is mounted and nothing beside it: the folder
 * around it may be a home folder.
 */
export function nodePlace(execPath = process.execPath): NodePlace {
  const real = realpathSync(execPath);
  if (real.startsWith('/usr/')) return { program: real, mount: undefined, folder: dirname(real) };
  const program = `${RUNTIME}/bin/node`;
  return { program, mount: { from: real, to: program }, folder: `${RUNTIME}/bin` };
}
