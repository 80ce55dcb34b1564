import { existsSync, lstatSync, readlinkSync } from 'node:fs';

/** Merged or not: `/bin` is a link into `/usr` on most systems, and a folder on some. */
const besideUsr = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Files of `/etc` that programs need, without secrets or personal data. */
const inEtc = [
  '/etc/alternatives',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/localtime',
  '/etc/mime.types',
];

/** Arguments of bwrap for the system's own programs and libraries, read-only. */
export function systemMounts(): string[] {
  return ['--ro-bind', '/usr', '/usr', ...besideUsr.flatMap(besideUsrMount), ...libraryCache];
}

/** For Node only: libraries, but no programs, not even a shell. */
export function libraryMounts(): string[] {
  const folders = besideUsr.filter((path) => path.startsWith('/lib'));
  const inUsr = folders.map((path) => `/usr${path}`).filter((path) => existsSync(path));
  return [
    ...inUsr.flatMap((path) => ['--ro-bind', path, path]),
    ...folders.flatMap(besideUsrMount),
    ...libraryCache,
  ];
}

export const etcMounts = (): string[] => inEtc.flatMap((path) => ['--ro-bind-try', path, path]);

const libraryCache = ['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'];

function besideUsrMount(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path];
}
