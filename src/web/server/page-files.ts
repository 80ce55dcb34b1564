import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
  /** Whether its name changes with its content. */
  readonly isHashed: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};

/** The files of the page by their address, read once: a request can name nothing else. Empty if the page was not built. */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile() && types[extname(entry.name)] !== undefined)
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const address = `/${relative(folder, path).split(sep).join('/')}`;
        const type = types[extname(path)] ?? '';
        const isHashed = address.startsWith('/assets/');
        return [address, { type, content: readFileSync(path), isHashed }];
      }),
  );
}

/** The addresses of the page's views. */
const VIEWS = /^\/(?:(?:approvals|runs|capsules|cost|health)(?:\/[\w.%-]{1,200})?)?$/;

/** The file for an address; undefined if there is none. */
export const pageFileAt = (
  files: ReadonlyMap<string, PageFile>,
  address: string,
): PageFile | undefined => files.get(VIEWS.test(address) ? '/index.html' : address);

/** Of the page and its files. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};
