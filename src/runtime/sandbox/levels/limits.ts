import { readFileSync } from 'node:fs';
import { once } from '../../../platform/once.ts';
import { tryOr } from '../../../platform/try-or.ts';
import type { QuerySandboxRequest } from '../sandbox.ts';

const MIB = 1024 * 1024;

/** Of the stack of the first thread, which the limit of memory does not count, also not after execve(2): a usual size. */
const STACK_BYTES = 8 * MIB;

/** Limits of one process; `children` counts all processes of its user. */
export interface Limits {
  readonly memoryBytes: number;
  readonly cpuSec: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  readonly children?: number;
}

export const capsuleLimits = (cpuSec: number): Limits => ({
  memoryBytes: 512 * MIB,
  cpuSec,
  fileBytes: 64 * MIB,
  openFiles: 256,
});

export const queryLimits = ({ cpuSec, memoryBytes }: QuerySandboxRequest): Limits => ({
  ...capsuleLimits(cpuSec),
  memoryBytes,
});

export const toolLimits = (cpuSec: number): Limits => ({
  memoryBytes: 2048 * MIB,
  cpuSec,
  fileBytes: 1024 * MIB,
  openFiles: 1024,
  children: 256,
});

/** Size of `/tmp` inside, in bytes. */
export const CAPSULE_TMP_BYTES = 16 * MIB;
export const TOOL_TMP_BYTES = 256 * MIB;

/** A lower limit of the coordinator stays: only root can raise it. */
const stackBytes = once(() => {
  const limits = tryOr(() => readFileSync('/proc/self/limits', 'utf8'), '');
  const [, hard] = /^Max stack size +\S+ +(\d+)/m.exec(limits) ?? [];
  return hard === undefined ? STACK_BYTES : Math.min(STACK_BYTES, Number(hard));
});

/** Arguments of prlimit(1) before the program. RLIMIT_DATA, since RLIMIT_AS breaks WebAssembly. */
export const limitArgs = ({ memoryBytes, cpuSec, fileBytes, openFiles, children }: Limits) => [
  `--data=${memoryBytes}`,
  `--stack=${stackBytes()}`,
  '--core=0',
  `--nofile=${openFiles}`,
  `--fsize=${fileBytes}`,
  `--cpu=${Math.max(1, Math.ceil(cpuSec))}`,
  ...(children === undefined ? [] : [`--nproc=${children}`]),
];
