import { readdirSync } from 'node:fs';
import { isCasePath } from '../../config/files/agent-folders.ts';

/** Files of the coordinator in a capsule's folder. */
const ownRecord = /^(memory\.db.*|logs)$/;

/** The names in a capsule's folder that its process may see: without its memory, its logs, its cases and links. */
export const capsuleEntries = (dir: string): readonly string[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && !ownRecord.test(entry.name))
    .filter(({ name }) => !isCasePath(name))
    .map(({ name }) => name);

/** The complete environment of a capsule. An allow-list, so that secrets added to the parent's environment are not inherited. */
export const capsuleEnvironment = (sdkPath: string): Readonly<Record<string, string>> => ({
  PATH: '/usr/bin:/bin',
  LANG: 'C.UTF-8',
  NODE_ENV: 'production',
  CAPSTAN_SDK: sdkPath,
});
