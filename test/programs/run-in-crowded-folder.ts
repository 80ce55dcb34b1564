import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleCode } from './bundle-program.ts';

/** In KiB: enough for Node, and for 19,200 arguments at most. */
const STACK_KIB = 150;
const NAMES = 20_000;

/**
 * Runs code in a project whose `skills` has more folders than a call of this process has room for arguments.
 *
 * @param code Imports by absolute paths; `process.argv[2]` is the project. It prints JSON, which is returned.
 */
export function runInCrowdedFolder(code: string): unknown {
  const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const project = realpathSync(mkdtempSync(join(root, 'capstan-crowded-')));
  try {
    mkdirSync(join(project, 'skills'));
    for (let at = 0; at < NAMES; at += 1) mkdirSync(join(project, 'skills', `${at}`));
    const argv = [`--stack-size=${STACK_KIB}`, bundleCode(code), project];
    return JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' }));
  } finally {
    rmSync(project, { recursive: true });
  }
}
